//! `ensemble hub setting`: what the person sets for themselves. Editors and agents read these and set none.
//!
//! To add a setting: its name, what it says and how it is checked, in the functions of [`Setting`].

use jiff::tz::TimeZone;

use super::{Admin, AdminError};

/// What can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// By which zone days begin and end.
    TimeZone,
    /// Whether a file is saved from a link that leads to this computer or its private network.
    SavePrivateLinks,
}

/// A setting as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    pub setting: Setting,
    /// What is in effect.
    pub value: String,
}

impl Setting {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::TimeZone, Self::SavePrivateLinks];

    /// Its name, as the store and the command have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TimeZone => "timeZone",
            Self::SavePrivateLinks => "savePrivateLinks",
        }
    }

    /// What it is for.
    pub const fn says(self) -> &'static str {
        match self {
            Self::TimeZone => "The person's time zone: days begin and end by it.",
            Self::SavePrivateLinks => {
                "Whether files are also saved from web links on this computer and in its private network."
            }
        }
    }

    /// What is in effect until it is set.
    const fn initial(self) -> &'static str {
        match self {
            Self::TimeZone => "UTC",
            Self::SavePrivateLinks => "false",
        }
    }

    /// The value in the form that is kept.
    fn checked(self, given: &str) -> Result<String, AdminError> {
        let given = given.trim();
        let (kept, needs) = match self {
            Self::TimeZone => {
                let zone = TimeZone::get(given).ok();
                let name = zone.and_then(|zone| zone.iana_name().map(str::to_owned));
                (name, "a time zone such as Europe/Vienna or UTC")
            }
            Self::SavePrivateLinks => {
                let is = given.parse::<bool>().ok();
                (is.map(|is| is.to_string()), "true or false")
            }
        };
        kept.ok_or(AdminError::SettingBad {
            name: self.name(),
            needs,
        })
    }
}

impl Admin {
    /// Every setting as it stands.
    ///
    /// # Errors
    /// [`AdminError`] if the store fails.
    pub async fn settings(&self) -> Result<Vec<Set>, AdminError> {
        let (owner, _) = self.ensure_owner().await?;
        let mut all = Vec::new();
        for setting in Setting::ALL {
            let kept = self.store.setting(&owner.id, setting.name()).await?;
            // One that this machine cannot use is not in effect.
            let kept = kept.and_then(|kept| setting.checked(&kept).ok());
            let value = kept.unwrap_or_else(|| setting.initial().to_owned());
            all.push(Set { setting, value });
        }
        Ok(all)
    }

    /// Sets the setting of this name; a running hub goes by it from the next request on.
    ///
    /// # Errors
    /// [`AdminError`] if there is no such setting, or it does not take this value; then nothing is set.
    pub async fn set(&self, name: &str, value: &str) -> Result<Set, AdminError> {
        let found = Setting::ALL
            .into_iter()
            .find(|setting| setting.name().eq_ignore_ascii_case(name.trim()));
        let setting = found.ok_or_else(|| AdminError::NoSuchSetting {
            asked: name.to_owned(),
            names: Setting::ALL.map(Setting::name).join(", "),
        })?;
        let value = setting.checked(value)?;
        let (owner, _) = self.ensure_owner().await?;
        self.store
            .set_setting(&owner.id, setting.name(), &value)
            .await?;
        Ok(Set { setting, value })
    }
}
