//! Finding people by e-mail address.

use ensemble_hub_api::Kind;
use sqlx::{QueryBuilder, Sqlite};

use super::Change;
use super::error::StoreError;
use super::record::{COLUMNS, Record};

impl Change {
    /// The person with this e-mail address, as the first or as another one of theirs; the case of its ASCII letters does not count.
    pub async fn person_with_email(
        &mut self,
        space: &str,
        email: &str,
    ) -> Result<Option<Record>, StoreError> {
        let email = email.trim().to_ascii_lowercase();
        let mut query = QueryBuilder::<Sqlite>::new("SELECT ");
        query
            .push(COLUMNS)
            .push(" FROM records r WHERE r.space_id = ");
        query.push_bind(space.to_owned());
        query
            .push(" AND r.kind = ")
            .push_bind(Kind::Person.as_str());
        query.push(" AND r.deleted_at IS NULL AND (lower(json_extract(r.fields, '$.email')) = ");
        query.push_bind(email.clone());
        query.push(
            " OR EXISTS (SELECT 1 FROM json_each(r.fields, '$.otherEmails') o WHERE lower(o.value) = ",
        );
        query.push_bind(email);
        query.push(")) ORDER BY r.created_at, r.id LIMIT 1");
        let row = query.build().fetch_optional(&mut *self.tx).await?;
        row.as_ref().map(Record::from_row).transpose()
    }
}
