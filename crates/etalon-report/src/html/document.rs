//! A document as HTML.

use crate::document::{Document, Part};
use crate::markup::escaped;
use crate::table::{Align, Cell, CellKind, Column, Place, Table};

/// Rows of a table that a page has, and tables of a document. Because: nobody reads more, and of 100,000 benchmarks they
/// took 150 MB.
const ROWS: usize = 1_000;
const TABLES: usize = 200;

/// Its parts, those without content left out.
pub(super) fn html(document: &Document) -> Vec<String> {
    let of = |part: &Part| if let Part::Tables(tables) = part { tables.len() } else { 0 };
    let mut tables = 0;
    let is_shown = |part: &&Part| {
        tables += of(part);
        of(part) == 0 || tables <= TABLES
    };
    let shown: Vec<String> = document.parts.iter().filter(is_shown).map(part_markup).collect();
    let some = remark(first_of(TABLES, tables, "tables", "-E").as_deref());
    shown.into_iter().chain([some]).filter(|part| !part.is_empty()).collect()
}

fn part_markup(part: &Part) -> String {
    match part {
        Part::Answer(sentence) => format!("<p class=\"answer\">{}</p>\n", escaped(sentence)),
        Part::Sentence(sentence) => format!("<p>{}</p>\n", escaped(sentence)),
        Part::Tables(tables) => tables.iter().map(table).collect(),
        Part::Lines(lines) if lines.is_empty() => String::new(),
        Part::Lines(lines) => format!("<pre>{}</pre>\n", escaped(&lines.join("\n"))),
        Part::Notes(notes) => list("ul", notes),
        Part::Footnotes(notes) => list("ol", notes),
        // What to type next is for a reader at a terminal.
        Part::More(_) => String::new(),
    }
}

fn list(kind: &str, items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let items: String = items.iter().map(|it| format!("<li>{}</li>\n", escaped(it))).collect();
    format!("<{kind}>\n{items}</{kind}>\n")
}

/// A table whose first column names the rows; nothing without rows.
fn table(table: &Table) -> String {
    if table.rows.is_empty() {
        return String::new();
    }
    let heading = |column: &Column| {
        let class = class(column);
        let title = if column.title.is_empty() { column.said } else { &column.title };
        format!("<th scope=\"col\"{class}>{}</th>", escaped(title))
    };
    let titles: String = table.columns.iter().map(heading).collect();
    let row = |cells: &Vec<Cell>| {
        let cells = table.columns.iter().zip(cells).enumerate();
        format!("<tr>{}</tr>\n", cells.map(|(at, (c, it))| cell(at, c, it)).collect::<String>())
    };
    let rows: String = table.rows.iter().take(ROWS).map(row).collect();
    let some = first_of(ROWS, table.rows.len(), "rows", "--full");
    let remarks = table.remarks.iter().chain(&some).map(String::as_str);
    let facts = match table.columns.iter().all(|it| it.title.is_empty()) {
        true => " class=\"facts\"",
        false => "",
    };
    format!(
        "<div class=\"scrolls\" tabindex=\"0\"><table{facts}>{}\n<thead><tr>{titles}</tr></thead>\n<tbody>\n{rows}</tbody></table>\n{}</div>\n",
        caption(table),
        remark(remarks)
    )
}

fn remark<'a>(said: impl IntoIterator<Item = &'a str>) -> String {
    said.into_iter().map(|it| format!("<p class=\"remark\">{}</p>\n", escaped(it))).collect()
}

/// Says that a page has not all of something; `all` is the option that shows them.
fn first_of(most: usize, of: usize, what: &str, all: &str) -> Option<String> {
    (of > most).then(|| {
        format!("The first {most} of {of} {what}; `{all}` on a terminal and `--json` have all.")
    })
}

fn caption(table: &Table) -> String {
    let title = escaped(&table.title);
    let quiet = |it: &str| format!("<span>{}</span>", escaped(it));
    match (table.title.is_empty(), table.caption.is_empty()) {
        (true, true) => String::new(),
        (false, true) => format!("<caption>{title}</caption>"),
        (true, false) => format!("<caption>{}</caption>", quiet(&table.caption)),
        (false, false) => format!("<caption>{title}<br>{}</caption>", quiet(&table.caption)),
    }
}

fn cell(at: usize, column: &Column, cell: &Cell) -> String {
    let text = match cell.kind {
        CellKind::Number if !column.unit.is_empty() => format!("{} {}", cell.text, column.unit),
        _ => cell.text.clone(),
    };
    let is_reason = cell.kind == CellKind::Words && !text.contains(|c: char| c.is_ascii_digit());
    let text = escaped(&text);
    match (at, cell.kind, column.align) {
        (0, ..) => format!("<th scope=\"row\"{}>{}</th>", class(column), breakable(&text)),
        (_, CellKind::Verdict(_), _) => format!("<td class=\"verdict\">{text}</td>"),
        // Why there is no number must not make a column wider than its numbers do.
        (.., Align::Right | Align::Point) if is_reason && text.contains(' ') => {
            format!("<td class=\"number reason\">{text}</td>")
        }
        _ => format!("<td{}>{text}</td>", class(column)),
    }
}

/// A name, which is markup, that breaks where its parts end rather than anywhere, and not within a number.
fn breakable(name: &str) -> String {
    let mut broken = String::with_capacity(name.len());
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        broken.push(c);
        let is_end = match c {
            '/' | '=' | ',' | '_' => true,
            '.' => chars.peek().is_some_and(|next| !next.is_ascii_digit()),
            _ => false,
        };
        if is_end {
            broken.push_str("<wbr>");
        }
    }
    broken
}

/// Which column gives way on a narrow page is the same as on a narrow terminal.
fn class(column: &Column) -> &'static str {
    match (column.align, column.place) {
        (Align::Left, Place::IfRoom | Place::BeforeNames) => " class=\"room\"",
        (Align::Left, _) => "",
        (Align::Right | Align::Point, Place::IfRoom | Place::BeforeNames) => {
            " class=\"number room\""
        }
        (Align::Right | Align::Point, _) => " class=\"number\"",
    }
}
