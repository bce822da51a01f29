//! Scripts and style sheets of a page: uPlot, the scripts of `web/src`, the style sheets.
//!
//! Owns the policy: this script and this style sheet, by their hashes, and nothing else. Where the crate was built
//! without uPlot, a page has no script and says so once.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::Observations;
use crate::markup::escaped;

const STYLE: &str = concat!(include_str!("../svg/style.css"), include_str!("style.css"));
/// Empty where npm has not put it there.
const UPLOT: &str = include_str!(concat!(env!("OUT_DIR"), "/uplot.js"));
const UPLOT_STYLE: &str = include_str!(concat!(env!("OUT_DIR"), "/uplot.css"));
const UPLOT_LICENCE: &str = include_str!(concat!(env!("OUT_DIR"), "/uplot.txt"));
const OWN: &str = include_str!(concat!(env!("OUT_DIR"), "/page.js"));
const OWN_STYLE: &str = include_str!(concat!(env!("OUT_DIR"), "/page.css"));

/// Whether pages have still pictures only.
pub(super) const fn is_missing() -> bool {
    UPLOT.is_empty()
}

/// The style sheet.
pub(super) fn style() -> String {
    match is_missing() {
        true => STYLE.to_owned(),
        false => [STYLE, UPLOT_STYLE, OWN_STYLE].join("\n"),
    }
}

fn script() -> String {
    format!("/*\n{UPLOT_LICENCE}*/\n{UPLOT}\n\"use strict\";\n{OWN}")
}

/// The script at the end of a page.
pub(super) fn element() -> String {
    if is_missing() { String::new() } else { format!("<script>{}</script>\n", script()) }
}

/// The page's content security policy.
pub(super) fn policy() -> String {
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    let style = hash(&style());
    let scripts = match is_missing() {
        true => String::new(),
        // Images are what the script itself makes: of a picture, to draw its PNG from.
        false => format!(
            " script-src {}; img-src blob:; require-trusted-types-for 'script';",
            hash(&script())
        ),
    };
    format!("default-src 'none'; style-src {style};{scripts} base-uri 'none'; form-action 'none'")
}

/// Where scripts draw the observations; what is said of them to all readers, and to those without scripts.
pub(super) fn place(observations: &Observations) -> String {
    if observations.markup.is_empty() {
        return String::new();
    }
    let said: String =
        observations.said.iter().map(|it| format!("<p>{}</p>\n", escaped(it))).collect();
    format!(
        "<section id=\"look\"><h2>Every observation</h2>\n{said}<noscript><p>Scripts are off: with them, the observations that are in \
         this page are drawn here and can be saved as CSV or JSON Lines.</p></noscript>\n</section>\n"
    )
}

/// The end of a page.
pub(super) fn foot() -> &'static str {
    match is_missing() {
        true => {
            "<p class=\"remark\">Made without scripts, by a build that npm had no part in: pictures are still, and the observations are in \
             the record only.</p>\n"
        }
        false => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a script that ends its own element, and a page that executes what its policy does not name.
    #[test]
    fn the_script_is_one_element() {
        assert!(!script().contains("</script") && !script().contains("<!--"));
        assert!(!style().contains("</style"));
        assert_eq!(element().is_empty(), is_missing());
        assert_eq!(policy().contains("script-src 'sha256-"), !is_missing());
        assert_eq!(policy().contains("img-src"), !is_missing());
        assert_eq!(foot().is_empty(), !is_missing());
    }
}
