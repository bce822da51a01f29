//! Names that the user gives Slurm's programs: partitions and features of nodes.

use std::fmt;

/// A plain word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word(String);

/// Why a word is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WordError {
    /// There is none.
    #[error("a name is missing behind `:`: write slurm, or slurm:PARTITION")]
    Empty,
    /// It would be an option.
    #[error("`{0}` begins with `-`, which Slurm would take for an option")]
    Option(String),
    /// It has a character that no such name has.
    #[error("`{name}` has {character:?}, which no name of Slurm has")]
    Character {
        /// The name.
        name: String,
        /// The first such character.
        character: char,
    },
}

impl Word {
    /// A partition, or several with commas.
    ///
    /// # Errors
    /// If it is none, or could be taken for something else.
    pub fn partition(name: &str) -> Result<Word, WordError> {
        Word::parse(name, "._-,")
    }

    /// Features of nodes, as `sbatch --constraint` takes them.
    ///
    /// # Errors
    /// If it is none, or could be taken for something else.
    pub fn constraint(text: &str) -> Result<Word, WordError> {
        Word::parse(text, "._-,:=&|*()[]@")
    }

    fn parse(name: &str, others: &str) -> Result<Word, WordError> {
        if name.is_empty() {
            return Err(WordError::Empty);
        }
        if name.starts_with('-') {
            return Err(WordError::Option(name.to_owned()));
        }
        let is_plain = |it: char| it.is_ascii_alphanumeric() || others.contains(it);
        match name.chars().find(|it| !is_plain(*it)) {
            Some(character) => Err(WordError::Character { name: name.to_owned(), character }),
            None => Ok(Word(name.to_owned())),
        }
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a partition that is an option of sbatch, or words of a shell.
    #[test]
    fn names_are_plain_words() {
        for name in ["main", "gpu-a.1", "a,b", "x_1"] {
            assert_eq!(Word::partition(name).map(|it| it.to_string()), Ok(name.to_owned()));
        }
        assert_eq!(Word::partition(""), Err(WordError::Empty));
        assert_eq!(Word::partition("--wrap=x"), Err(WordError::Option("--wrap=x".to_owned())));
        for name in ["a b", "a\n", "a;b", "$(a)", "a=b", "é"] {
            assert!(matches!(Word::partition(name), Err(WordError::Character { .. })), "{name}");
        }
        assert!(Word::constraint("[rack1*2&rack2]|gpu:a").is_ok());
        assert!(Word::constraint("-C").is_err() && Word::constraint("a b").is_err());
    }
}
