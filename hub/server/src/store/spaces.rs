//! Accounts, their spaces, who else may open them, and an account's settings.

use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::Store;
use super::error::StoreError;
use super::names::{name_key, one_line};

/// An account: the person whose records these are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountRow {
    pub id: String,
    pub name: String,
}

/// A space and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceRow {
    pub id: String,
    pub account_id: String,
    pub name: String,
    /// The account's own space, not one it created.
    pub home: bool,
}

/// A space of another account that an account may open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MembershipRow {
    pub space: SpaceRow,
    pub role: String,
}

impl SpaceRow {
    fn from_row(row: &SqliteRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.try_get("id")?,
            account_id: row.try_get("account_id")?,
            name: row.try_get("name")?,
            home: row.try_get::<i64, _>("home")? != 0,
        })
    }
}

impl Store {
    /// The first account, which owns the hub; `None` in a new database.
    pub async fn owner(&self) -> Result<Option<AccountRow>, StoreError> {
        let row = sqlx::query("SELECT id, name FROM accounts ORDER BY created_at, id LIMIT 1")
            .fetch_optional(&self.reader)
            .await?;
        row.map(|row| {
            Ok(AccountRow {
                id: row.try_get("id")?,
                name: row.try_get("name")?,
            })
        })
        .transpose()
    }

    /// The account of this id.
    pub async fn account(&self, id: &str) -> Result<Option<AccountRow>, StoreError> {
        let row = sqlx::query("SELECT id, name FROM accounts WHERE id = ?")
            .bind(id)
            .fetch_optional(&self.reader)
            .await?;
        row.map(|row| {
            Ok(AccountRow {
                id: row.try_get("id")?,
                name: row.try_get("name")?,
            })
        })
        .transpose()
    }

    /// Adds an account with its own space.
    pub async fn create_account(
        &self,
        name: &str,
        home: &str,
    ) -> Result<(AccountRow, SpaceRow), StoreError> {
        let mut tx = self.writer.begin_with("BEGIN IMMEDIATE").await?;
        let made = self.insert_account(&mut tx, name, home).await?;
        tx.commit().await?;
        Ok(made)
    }

    /// The owner's account and own space, made with these names when the database is new; one transaction, so two hubs that start at once agree.
    pub async fn ensure_owner(
        &self,
        name: &str,
        home: &str,
    ) -> Result<(AccountRow, SpaceRow), StoreError> {
        if let Some(found) = self.owner_and_home().await? {
            return Ok(found);
        }
        let mut tx = self.writer.begin_with("BEGIN IMMEDIATE").await?;
        let taken: i64 = sqlx::query_scalar("SELECT count(*) FROM accounts")
            .fetch_one(&mut *tx)
            .await?;
        if taken == 0 {
            let made = self.insert_account(&mut tx, name, home).await?;
            tx.commit().await?;
            return Ok(made);
        }
        tx.rollback().await?;
        self.owner_and_home()
            .await?
            .ok_or(StoreError::Unreadable { what: "owner" })
    }

    async fn owner_and_home(&self) -> Result<Option<(AccountRow, SpaceRow)>, StoreError> {
        let Some(owner) = self.owner().await? else {
            return Ok(None);
        };
        let home = self
            .home_of(&owner.id)
            .await?
            .ok_or(StoreError::Unreadable { what: "space" })?;
        Ok(Some((owner, home)))
    }

    async fn insert_account(
        &self,
        connection: &mut sqlx::SqliteConnection,
        name: &str,
        home: &str,
    ) -> Result<(AccountRow, SpaceRow), StoreError> {
        let account = AccountRow {
            id: self.new_id(),
            name: one_line(name),
        };
        sqlx::query("INSERT INTO accounts (id, name, created_at) VALUES (?, ?, ?)")
            .bind(&account.id)
            .bind(&account.name)
            .bind(self.now().as_microsecond())
            .execute(&mut *connection)
            .await?;
        let space = SpaceRow {
            id: self.new_id(),
            account_id: account.id.clone(),
            name: one_line(home),
            home: true,
        };
        self.insert_space(connection, &space).await?;
        Ok((account, space))
    }

    async fn insert_space(
        &self,
        connection: &mut sqlx::SqliteConnection,
        space: &SpaceRow,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO spaces (id, account_id, name, name_key, home, created_at) VALUES (?, ?, ?, ?, ?, ?)",
        )
        .bind(&space.id)
        .bind(&space.account_id)
        .bind(&space.name)
        .bind(name_key(&space.name))
        .bind(i64::from(space.home))
        .bind(self.now().as_microsecond())
        .execute(connection)
        .await?;
        Ok(())
    }

    /// Adds a space to an account. A name that the account has already is a [`StoreError::Constraint`].
    pub async fn create_space(&self, account_id: &str, name: &str) -> Result<SpaceRow, StoreError> {
        let space = SpaceRow {
            id: self.new_id(),
            account_id: account_id.to_owned(),
            name: one_line(name),
            home: false,
        };
        let mut tx = self.writer.begin_with("BEGIN IMMEDIATE").await?;
        self.insert_space(&mut tx, &space).await?;
        tx.commit().await?;
        Ok(space)
    }

    /// The space of this id.
    pub async fn space(&self, id: &str) -> Result<Option<SpaceRow>, StoreError> {
        let row = sqlx::query("SELECT id, account_id, name, home FROM spaces WHERE id = ?")
            .bind(id)
            .fetch_optional(&self.reader)
            .await?;
        row.as_ref().map(SpaceRow::from_row).transpose()
    }

    /// The account's own space.
    pub async fn home_of(&self, account_id: &str) -> Result<Option<SpaceRow>, StoreError> {
        let row = sqlx::query(
            "SELECT id, account_id, name, home FROM spaces WHERE account_id = ? AND home = 1",
        )
        .bind(account_id)
        .fetch_optional(&self.reader)
        .await?;
        row.as_ref().map(SpaceRow::from_row).transpose()
    }

    /// The spaces an account owns: its own first, then by name.
    pub async fn spaces_of(&self, account_id: &str) -> Result<Vec<SpaceRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, account_id, name, home FROM spaces WHERE account_id = ? ORDER BY home DESC, name_key, id LIMIT 500",
        )
        .bind(account_id)
        .fetch_all(&self.reader)
        .await?;
        rows.iter().map(SpaceRow::from_row).collect()
    }

    /// The spaces of others that are shared with an account, by name.
    pub async fn memberships_of(&self, account_id: &str) -> Result<Vec<MembershipRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT s.id, s.account_id, s.name, s.home, m.role FROM space_members m JOIN spaces s ON s.id = m.space_id
             WHERE m.account_id = ? ORDER BY s.name_key, s.id LIMIT 500",
        )
        .bind(account_id)
        .fetch_all(&self.reader)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(MembershipRow {
                    space: SpaceRow::from_row(row)?,
                    role: row.try_get("role")?,
                })
            })
            .collect()
    }

    /// Shares a space with an account, or changes the role.
    pub async fn share_space(
        &self,
        space_id: &str,
        account_id: &str,
        role: &str,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO space_members (space_id, account_id, role) VALUES (?, ?, ?)
             ON CONFLICT (space_id, account_id) DO UPDATE SET role = excluded.role",
        )
        .bind(space_id)
        .bind(account_id)
        .bind(role)
        .execute(&self.writer)
        .await?;
        Ok(())
    }

    /// A setting of an account (`timeZone`: an IANA name).
    pub async fn setting(
        &self,
        account_id: &str,
        name: &str,
    ) -> Result<Option<String>, StoreError> {
        Ok(
            sqlx::query_scalar("SELECT value FROM settings WHERE account_id = ? AND name = ?")
                .bind(account_id)
                .bind(name)
                .fetch_optional(&self.reader)
                .await?,
        )
    }

    /// Changes a setting of an account.
    pub async fn set_setting(
        &self,
        account_id: &str,
        name: &str,
        value: &str,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO settings (account_id, name, value) VALUES (?, ?, ?)
             ON CONFLICT (account_id, name) DO UPDATE SET value = excluded.value",
        )
        .bind(account_id)
        .bind(name)
        .bind(value)
        .execute(&self.writer)
        .await?;
        Ok(())
    }
}
