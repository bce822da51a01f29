//! The one place where plain text becomes HTML or XML: nothing that is put in can be taken for markup.

/// Text for an element or a quoted attribute.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Readers make a line feed of one that stands there as it is.
            '\r' => out.push_str("&#13;"),
            // No document of XML, as a picture alone is one, may have them.
            '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {
                out.push('\u{fffd}');
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::hostile;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2048))]

        /// Would catch a text that ends its element or attribute, or that another reader gets back as another one.
        #[test]
        fn text_is_read_as_itself(text in hostile()) {
            let document = format!("<svg title=\"{0}\" alt='{0}'>{0}</svg>", escaped(&text));
            let read = roxmltree::Document::parse(&document);
            prop_assert!(read.is_ok(), "{document:?} {read:?}");
            let read = read.unwrap();
            let root = read.root_element();
            let no_xml = |c: char| c < ' ' && !matches!(c, '\t' | '\n' | '\r') || matches!(c, '\u{fffe}' | '\u{ffff}');
            let expected = text.replace(no_xml, "\u{fffd}");
            prop_assert_eq!(root.children().filter_map(|it| it.text()).collect::<String>(), expected.clone());
            // A reader of XML makes spaces of white space in attributes.
            prop_assert_eq!(root.attribute("title").unwrap(), expected.replace(['\n', '\t'], " "));
            prop_assert_eq!(root.attribute("alt"), root.attribute("title"));
        }
    }
}
