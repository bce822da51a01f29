//! SVG pictures as PNG files: what resvg draws of them, with letters of an installed font.

use std::io;
use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Family, Query};
use resvg::usvg::{Options, Tree};

use crate::failure::Failure;

pub(super) const OPTION: &str = "--png";

/// Pixels for one of the picture. Because: screens and slides show a pixel of a page with two of theirs.
const SCALE: f32 = 2.0;

/// Fonts that pictures were looked at with; without these, any that is there.
const KNOWN: [&str; 6] =
    ["DejaVu Sans", "Liberation Sans", "Noto Sans", "Inter", "Arial", "Helvetica"];

/// What text is drawn with.
#[derive(Debug)]
pub(super) struct Letters(Arc<Database>);

impl Letters {
    /// Those of this machine.
    pub(super) fn installed() -> Result<Letters, Failure> {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        Letters::of(fonts).ok_or_else(|| {
            Failure::about(
                OPTION,
                "no font is installed, and pictures have names and numbers: install one \
                 (fonts-dejavu-core), or write SVG files with --svg",
            )
        })
    }

    /// Those of a sans-serif font, as far as that can be told; absent without any.
    fn of(mut fonts: Database) -> Option<Letters> {
        let has = |name: &&&str| {
            let query = Query { families: &[Family::Name(name)], ..Query::default() };
            fonts.query(&query).is_some()
        };
        let any = || {
            let face = fonts.faces().find(|face| !face.monospaced).or(fonts.faces().next())?;
            face.families.first().map(|(name, _)| name.clone())
        };
        let family = KNOWN.iter().find(has).map(|name| (*name).to_owned()).or_else(any)?;
        fonts.set_sans_serif_family(family);
        Some(Letters(Arc::new(fonts)))
    }

    /// A picture as a PNG file.
    pub(super) fn drawn(&self, svg: &str) -> io::Result<Vec<u8>> {
        let options = Options { fontdb: Arc::clone(&self.0), ..Options::default() };
        let tree = Tree::from_str(svg, &options).map_err(io::Error::other)?;
        let size = tree.size().to_int_size().scale_by(SCALE);
        let pixels = size.and_then(|size| Pixmap::new(size.width(), size.height()));
        let mut pixels = pixels.ok_or_else(|| io::Error::other("the picture is too large"))?;
        resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
        pixels.encode_png().map_err(io::Error::other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch pictures without names and numbers where no font is installed.
    #[test]
    fn without_a_font_nothing_is_drawn() {
        assert!(Letters::of(Database::new()).is_none());
    }
}
