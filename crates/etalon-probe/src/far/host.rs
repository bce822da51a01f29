//! The name of a host, which becomes a word of a command line of ssh and of whatever the user's configuration makes of it.

use std::fmt;

/// A host as ssh takes it: a name of the user's configuration or of a machine, with a user before it or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host(String);

/// Why a name is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// There is none.
    #[error("a host has no name: write ssh:HOST, or ssh:HOST,HOST")]
    Empty,
    /// It would be an option.
    #[error("`{0}` begins with `-`, which ssh would take for an option: write the name of a host")]
    Option(String),
    /// It has a character that no name has, and that a shell in the user's configuration might understand.
    #[error(
        "`{name}` has {character:?}, which no host has: write letters, digits and . _ - @ : [ ] % (a port belongs in \
         ~/.ssh/config)"
    )]
    Character {
        /// The name.
        name: String,
        /// The first such character.
        character: char,
    },
}

impl Host {
    /// A host of this name.
    ///
    /// # Errors
    /// If ssh, or a command of its configuration, could take it for something else.
    pub fn parse(name: &str) -> Result<Host, HostError> {
        let of_machine = name.rsplit('@').next().unwrap_or_default();
        if of_machine.is_empty() {
            return Err(HostError::Empty);
        }
        if name.starts_with('-') || of_machine.starts_with('-') {
            return Err(HostError::Option(name.to_owned()));
        }
        let is_plain = |it: char| it.is_ascii_alphanumeric() || "._-@:[]%".contains(it);
        match name.chars().find(|it| !is_plain(*it)) {
            Some(character) => Err(HostError::Character { name: name.to_owned(), character }),
            None => Ok(Host(name.to_owned())),
        }
    }

    /// As it was written.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a host that is an option of ssh, or a command of a shell that `ProxyCommand` starts.
    #[test]
    fn a_host_is_a_plain_word() {
        for name in ["n1", "me@n1", "n-1.example", "fe80::1%eth0", "[::1]", "a_b@10.0.0.1"] {
            assert_eq!(Host::parse(name).map(|host| host.to_string()), Ok(name.to_owned()));
        }
        for name in ["-oProxyCommand=x", "me@-x", "-"] {
            assert_eq!(Host::parse(name), Err(HostError::Option(name.to_owned())));
        }
        for name in ["", "me@"] {
            assert_eq!(Host::parse(name), Err(HostError::Empty));
        }
        for (name, character) in
            [("a b", ' '), ("a\n", '\n'), ("a;b", ';'), ("$(a)", '$'), ("ä", 'ä')]
        {
            let name = name.to_owned();
            assert_eq!(Host::parse(&name), Err(HostError::Character { name, character }));
        }
    }
}
