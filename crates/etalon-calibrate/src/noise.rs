//! Machines that are simulated: what one reading after the other scatters like.
//!
//! Owns the kinds of noise, and what is known of each: its median, whether both subjects scatter alike, how fine its
//! clock is. Levels are those of a program of 100 ms. Refuses to compare anything.

use etalon_core::random::Random;

/// The level of every subject, in s, before its effect.
pub(crate) const LEVEL: f64 = 0.1;

/// Noise whose log ratios within blocks have a standard deviation of 3 %.
pub(crate) const RATIOS_OF_3_PERCENT: Noise = Noise::Sd(0.0212);

/// A kind of noise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Noise {
    /// Normal, 3 %.
    Normal,
    /// The logarithm is normal with this deviation.
    Lognormal(f64),
    /// Pareto's distribution of index 1.5: its variance is infinite.
    Pareto,
    /// 3 % beyond a lower bound, gamma of shape 2, and 3 % of readings up to five times as long.
    Spiked,
    /// A quarter of the readings in a mode 20 % higher; 1 % within each.
    Bimodal,
    /// Normal, 3 %, read with a clock of so many s.
    Ticks(f64),
    /// Every reading is the same.
    Constant,
    /// The machine drifts: readings resemble those before them, whoever's they are.
    Drift,
    /// Each subject's own readings depend on the one before it by this autocorrelation; 3 %.
    Own(f64),
    /// Normal, 3 %, and this share of the readings is twice as long.
    Doubled(f64),
    /// Normal, 1 %, and this share of the readings is longer by 60 % on average.
    Disturbed(f64),
    /// The logarithm is normal with these deviations of base and candidate.
    Unequal(f64, f64),
    /// Normal with this deviation.
    Sd(f64),
}

impl Noise {
    /// How it stands in a table.
    #[must_use]
    pub(crate) fn name(self) -> String {
        match self {
            Noise::Normal => "normal, 3 %".to_owned(),
            Noise::Lognormal(sd) => format!("lognormal, σ {sd}"),
            Noise::Pareto => "Pareto, 1.5".to_owned(),
            Noise::Spiked => "gamma, 3 % spikes".to_owned(),
            Noise::Bimodal => "bimodal 75/25".to_owned(),
            Noise::Ticks(step) => format!("ticks of {} ms", step * 1e3),
            Noise::Constant => "constant".to_owned(),
            Noise::Drift => "common drift".to_owned(),
            Noise::Own(phi) => format!("own AR(1) {phi}"),
            Noise::Doubled(share) => format!("{} % doubled", share * 100.0),
            Noise::Disturbed(share) => format!("{} % disturbed", share * 100.0),
            Noise::Unequal(a, b) => format!("spread {} / {} %", a * 100.0, b * 100.0),
            RATIOS_OF_3_PERCENT => "log ratios of 3 %".to_owned(),
            Noise::Sd(sd) => format!("normal, {} %", sd * 100.0),
        }
    }

    /// The step of its clock, in s.
    #[must_use]
    pub(crate) fn resolution(self) -> f64 {
        match self {
            Noise::Ticks(step) => step,
            _ => 1e-6,
        }
    }

    /// Whether the differences of equal subjects are symmetric around 0: they are where both scatter alike.
    #[must_use]
    pub(crate) fn is_alike(self) -> bool {
        !matches!(self, Noise::Unequal(..))
    }

    /// The median of many readings of a subject without an effect, in s.
    #[must_use]
    pub(crate) fn median(self) -> f64 {
        let many = 400_001;
        let mut machine = Machine::new(self, 1, Random::new(1));
        let mut readings: Vec<f64> = (0..many).map(|_| machine.reading(0)).collect();
        *readings.select_nth_unstable_by(many / 2, f64::total_cmp).1
    }

    /// The mean of a subject without an effect, of the base where they differ, in s.
    #[must_use]
    pub(crate) fn mean(self) -> f64 {
        let lognormal = |sd: f64| (sd * sd / 2.0).exp();
        let relative = match self {
            Noise::Normal | Noise::Sd(_) | Noise::Ticks(_) | Noise::Constant => 1.0,
            Noise::Lognormal(sd) | Noise::Unequal(sd, _) => lognormal(sd),
            Noise::Pareto => 3.0,
            Noise::Spiked => (1.0 + 0.02 * 2.0) * (1.0 + 0.03 * 2.0),
            Noise::Bimodal => 0.75 + 0.25 * 1.2,
            Noise::Drift => lognormal(0.02_f64.hypot(0.005)),
            Noise::Own(_) => lognormal(0.03),
            Noise::Doubled(share) => 1.0 + share,
            Noise::Disturbed(share) => 1.0 + 0.6 * share,
        };
        LEVEL * relative
    }

    /// The share of false verdicts that is allowed at so many blocks, 5 % but where no rule can reach that.
    #[must_use]
    pub(crate) fn allowed(self, blocks: usize) -> f64 {
        match self {
            Noise::Own(phi) => dependent(phi, blocks),
            _ => 0.05,
        }
    }

    /// Whether one subject's readings depend on one another, with those of the others or without.
    #[must_use]
    pub(crate) fn is_dependent(self) -> bool {
        matches!(self, Noise::Drift | Noise::Own(_))
    }
}

/// The share of errors allowed of readings with an autocorrelation. Below ten nobody knows what can be reached, and
/// nothing is asked.
fn dependent(phi: f64, readings: usize) -> f64 {
    let [few, some, many] = if phi <= 0.5 { [0.15, 0.09, 0.075] } else { [0.26, 0.15, 0.11] };
    match readings {
        0..10 => 1.0,
        10..30 => few,
        30..60 => some,
        _ => many,
    }
}

/// A machine on which subjects are executed one after the other.
#[derive(Debug, Clone)]
pub struct Machine {
    noise: Noise,
    random: Random,
    /// States on which the machine's readings, or each subject's, depend.
    states: Vec<f64>,
}

impl Machine {
    /// One for so many subjects, in its stationary state.
    #[must_use]
    pub fn new(noise: Noise, subjects: usize, random: Random) -> Machine {
        let mut random = random;
        let states = (0..subjects).map(|_| normal(&mut random)).collect();
        Machine { noise, random, states }
    }

    /// The next reading, of a subject without an effect, in s.
    pub(crate) fn reading(&mut self, subject: usize) -> f64 {
        let random = &mut self.random;
        let near = |random: &mut Random, sd: f64| (1.0 + sd * normal(random)).max(0.01);
        let relative = match self.noise {
            Noise::Normal => near(random, 0.03),
            Noise::Sd(sd) => near(random, sd),
            Noise::Lognormal(sd) => (sd * normal(random)).exp(),
            Noise::Unequal(base, candidate) => {
                let sd = if subject == 0 { base } else { candidate };
                (sd * normal(random)).exp()
            }
            Noise::Pareto => (1.0 - random.uniform()).powf(-1.0 / 1.5),
            Noise::Spiked => {
                let gamma = -(1.0 - random.uniform()).ln() - (1.0 - random.uniform()).ln();
                let spike =
                    if random.uniform() < 0.03 { 1.0 + 4.0 * random.uniform() } else { 1.0 };
                (1.0 + 0.02 * gamma) * spike
            }
            Noise::Bimodal => {
                let mode = if random.uniform() < 0.25 { 1.2 } else { 1.0 };
                mode * near(random, 0.01)
            }
            Noise::Ticks(step) => {
                let ticks = (LEVEL * near(random, 0.03) / step + random.uniform()).floor();
                ticks.max(1.0) * step / LEVEL
            }
            Noise::Constant => 1.0,
            Noise::Drift => {
                (0.02 * next(&mut self.states[0], 0.95, random) + 0.005 * normal(random)).exp()
            }
            Noise::Own(phi) => (0.03 * next(&mut self.states[subject], phi, random)).exp(),
            Noise::Doubled(share) => {
                let times = if random.uniform() < share { 2.0 } else { 1.0 };
                times * near(random, 0.03)
            }
            Noise::Disturbed(share) => {
                let is_longer = random.uniform() < share;
                let longer = if is_longer { -0.6 * (1.0 - random.uniform()).ln() } else { 0.0 };
                (1.0 + longer) * near(random, 0.01)
            }
        };
        LEVEL * relative
    }
}

/// The next state of an autoregression with variance 1.
fn next(state: &mut f64, phi: f64, random: &mut Random) -> f64 {
    *state = phi * *state + (1.0 - phi * phi).sqrt() * normal(random);
    *state
}

/// A standard normal number by Box–Muller.
pub(crate) fn normal(random: &mut Random) -> f64 {
    let radius = (-2.0 * (1.0 - random.uniform()).ln()).sqrt();
    radius * (std::f64::consts::TAU * random.uniform()).cos()
}
