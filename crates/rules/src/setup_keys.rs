//! Which keys a set-up is read from: its type says so itself when it is asked to read nothing.

use serde::{
    de::{DeserializeOwned, Deserializer, Error as _, Visitor, value::Error},
    forward_to_deserialize_any,
};

/// The names of its fields, as they are written; none where it is no struct.
pub(crate) fn setup_keys<S: DeserializeOwned>() -> &'static [&'static str] {
    let mut asked = Asked(&[]);
    // It has read nothing, and says so.
    let _ = S::deserialize(&mut asked);
    asked.0
}

/// Has nothing to be read, and keeps what was looked for.
struct Asked(&'static [&'static str]);

impl<'de> Deserializer<'de> for &mut Asked {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("there is nothing here"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0 = fields;
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
