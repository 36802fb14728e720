//! Text: how it is found, cut and labelled. Pure.

pub mod cut;
pub mod fold;
pub mod terms;
pub mod trust;
pub mod visible;
