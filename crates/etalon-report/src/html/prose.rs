//! Markdown of an experiment file as markup. Raw HTML in it is text, pictures are their descriptions, and links lead
//! to the web or within the page.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// Markup that says what the text says.
pub(super) fn prose(text: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut markup = String::new();
    html::push_html(&mut markup, Parser::new_ext(text, options).filter_map(harmless));
    // Style attributes are not admitted by the page's policy; quotes of the text itself are escaped. A wide table
    // scrolls, as the report's own do.
    markup
        .replace(" style=\"text-align: right\"", " class=\"number\"")
        .replace(" style=\"text-align: left\"", "")
        .replace(" style=\"text-align: center\"", "")
        .replace("<table>", "<div class=\"scrolls\" tabindex=\"0\"><table>")
        .replace("</table>", "</table></div>")
}

fn harmless(event: Event<'_>) -> Option<Event<'_>> {
    match event {
        Event::Html(raw) | Event::InlineHtml(raw) => Some(Event::Text(raw)),
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => None,
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let leads_out = ["https://", "http://", "mailto:", "#"];
            let is_known = leads_out.iter().any(|start| dest_url.starts_with(start));
            let dest_url = if is_known { dest_url } else { CowStr::Borrowed("#") };
            Some(Event::Start(Tag::Link { link_type, dest_url, title, id }))
        }
        event => Some(event),
    }
}

#[cfg(test)]
mod tests {
    use super::prose;

    /// Would catch text of an experiment file that becomes markup, is fetched, or is executed at a click.
    #[test]
    fn nothing_but_prose_comes_out() {
        let hostile = "# a <b>\n\n<script>alert(1)</script>\n\nx <img src=y onerror=z> ![pic](https://e.x/p.png) \
                       [go](javascript:alert(1)) [web](https://e.x)\n\n| a | b |\n| --- | ---: |\n| 1 | `<i>` |\n";
        let markup = prose(hostile);
        for never in ["<script", "<img", "<b>", "<i>", "javascript:", "p.png", "style="] {
            assert!(!markup.contains(never), "{never}: {markup}");
        }
        for there in
            ["&lt;script&gt;", "pic", "href=\"https://e.x\"", "<td>1</td>", "<td class=\"number\">"]
        {
            assert!(markup.contains(there), "{there}: {markup}");
        }
    }
}
