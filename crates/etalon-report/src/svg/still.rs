//! A picture with its caption and what it says in words.
//!
//! Owns how it stands in a page, and alone in a file. Refuses to know what is drawn.

use super::WIDTH;
use crate::markup::escaped;

/// The colours and strokes of pictures.
const STYLE: &str = include_str!("style.css");

/// A picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Still {
    /// The kind of picture, in a word of the program: files are called by it, so that no text of a record names one.
    pub name: &'static str,
    /// The caption above it.
    pub caption: String,
    /// A description for who does not see it, a line each.
    pub said: Vec<String>,
    pub(super) height: f64,
    /// Markup.
    pub(super) drawn: String,
}

impl Still {
    /// The picture as an element of a page.
    #[must_use]
    pub fn markup(&self) -> String {
        let Still { caption, said, height, drawn, .. } = self;
        let caption = escaped(caption);
        format!(
            "<svg role=\"img\" aria-label=\"{caption}\" viewBox=\"0 0 {WIDTH} {height}\">\n\
             <desc>{}</desc>\n{drawn}</svg>",
            escaped(&said.join("; "))
        )
    }
}

/// Pictures as figures of a page.
pub(crate) fn figures(stills: &[Still]) -> String {
    let figure = |still: &Still| {
        let caption = escaped(&still.caption);
        let (name, markup) = (escaped(still.name), still.markup());
        format!(
            "<figure data-name=\"{name}\"><figcaption>{caption}</figcaption>\n{markup}</figure>\n"
        )
    };
    match stills {
        [] => String::new(),
        _ => format!(
            "<div class=\"figures\">\n{}</div>\n",
            stills.iter().map(figure).collect::<String>()
        ),
    }
}

/// A picture that is a file of its own, its caption drawn above it: light, and dark where the reader's system is.
#[must_use]
pub fn standing_alone(still: &Still) -> String {
    const MARGIN: f64 = 12.0;
    let lines = crate::text::wrap(&still.caption, 64);
    #[allow(clippy::cast_precision_loss, reason = "lines are few")]
    let head = lines.len() as f64 * 15.0 + 8.0;
    let mut caption = String::new();
    for (at, line) in (1_u32..).zip(&lines) {
        let y = f64::from(at) * 15.0;
        caption
            .push_str(&format!("<text class=\"quiet\" x=\"0\" y=\"{y}\">{}</text>", escaped(line)));
    }
    let (width, height) = (WIDTH + 2.0 * MARGIN, head + still.height + 2.0 * MARGIN);
    let label = escaped(&still.caption);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{label}\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"{} {} {width} {height}\">\n<title>{label}</title>\n<desc>{}</desc>\n\
         <style>{}</style>\n<rect class=\"page\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\"/>\n\
         {caption}\n<g transform=\"translate(0 {head})\">\n{}</g></svg>\n",
        -MARGIN,
        -MARGIN,
        escaped(&still.said.join("; ")),
        resolved(STYLE),
        -MARGIN,
        -MARGIN,
        still.drawn
    )
}

/// The style sheet with colours in the place of their names, which not every program that draws pictures knows.
fn resolved(style: &str) -> String {
    let mut blocks = style.split("/* dark */");
    let colours = |text: &str| -> Vec<(String, String)> {
        let declared = text.split([';', '{', '}']).filter_map(|it| it.trim().split_once(':'));
        let own = declared.filter(|(name, _)| name.trim().starts_with("--"));
        own.map(|(name, value)| (format!("var({})", name.trim()), value.trim().to_owned()))
            .collect()
    };
    let (light, rest) = (blocks.next().unwrap_or_default(), blocks.next().unwrap_or_default());
    let (dark, rules) = rest.split_once("/* rules */").unwrap_or_default();
    let with = |colours: Vec<(String, String)>| {
        colours.iter().fold(rules.to_owned(), |text, (name, value)| text.replace(name, value))
    };
    let (light, dark) = (with(colours(light)), with(colours(dark)));
    format!("{light}@media (prefers-color-scheme: dark) {{{dark}}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a colour that a program without style-sheet variables draws black.
    #[test]
    fn a_picture_alone_names_every_colour() {
        let still = Still {
            name: "x",
            caption: "a <b>".to_owned(),
            said: vec!["c & d".to_owned()],
            height: 10.0,
            drawn: String::new(),
        };
        let alone = standing_alone(&still);
        assert!(!alone.contains("var(") && !alone.contains("<b>"), "{alone}");
        assert!(alone.contains("svg .dot { fill: #") && alone.contains("a &lt;b&gt;"), "{alone}");
        assert_eq!(alone.matches("svg .dot { fill: #").count(), 2);
    }
}
