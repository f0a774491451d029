//! agon in a list of servers that is JSON, with or without comments. Whatever else is in the file
//! stays as it is, to the byte.

use jsonc_parser::{
    CollectOptions, ParseOptions,
    cst::{CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode},
    parse_to_ast,
};
use serde::Serialize;

use super::{
    NAME,
    hosts::{Configured, StartCommand},
    text::Fault,
};

#[derive(Clone, Copy)]
pub struct JsonFlavour {
    /// The key of the list of servers.
    pub servers: &'static str,
    /// Whether a server says that it speaks on stdin and stdout.
    pub says_type: bool,
    /// Whether the host reads comments.
    pub comments: bool,
    pub trailing_commas: bool,
}

impl JsonFlavour {
    fn options(self) -> ParseOptions {
        ParseOptions {
            allow_comments: self.comments,
            allow_trailing_commas: self.trailing_commas,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        }
    }
}

pub fn find(text: &str, dialect: JsonFlavour) -> Result<Configured, Fault> {
    let root = parse(text, dialect)?;
    let Some(servers) = servers(&root, text, dialect)? else { return Ok(Configured::Nothing) };
    let Some(ours) = property(&servers, NAME, text)? else { return Ok(Configured::Nothing) };
    let entry = ours.object_value();
    let command = entry.as_ref().and_then(|entry| entry.get("command")).and_then(string);
    let args = entry.and_then(|entry| entry.array_value("args"));
    let args = args.map(|args| args.elements().into_iter().filter_map(decoded).collect());
    Ok(command
        .map_or(Configured::Other, |command| Configured::Program(StartCommand { command, args })))
}

pub fn put(text: &str, dialect: JsonFlavour, entry: &StartCommand) -> Result<String, Fault> {
    let root = parse(text, dialect)?;
    let list = servers(&root, text, dialect)?;
    let ours = match &list {
        Some(servers) => property(servers, NAME, text)?,
        None => None,
    };
    match ours {
        None => {
            if let Some(text) = put_in_line(text, dialect, entry) {
                return Ok(text);
            }
            let new = || root.object_value_or_set().object_value_or_set(dialect.servers);
            list.unwrap_or_else(new).append(NAME, CstInputValue::Object(fields(dialect, entry)));
        }
        Some(ours) => {
            let ours = ours.object_value_or_set();
            set(&ours, "command", entry.command.as_str().into());
            if let Some(args) = &entry.args {
                set(&ours, "args", args.clone().into());
            }
        }
    }
    Ok(root.to_string())
}

pub fn take_out(text: &str, dialect: JsonFlavour, all: bool) -> Result<String, Fault> {
    let root = parse(text, dialect)?;
    if let Some(servers) = servers(&root, text, dialect)? {
        if let Some(ours) = property(&servers, NAME, text)? {
            ours.remove();
        }
        if all && servers.properties().is_empty() {
            let list = root.object_value().and_then(|object| object.get(dialect.servers));
            list.into_iter().for_each(CstObjectProp::remove);
        }
    }
    Ok(root.to_string())
}

pub fn has_servers(text: &str, dialect: JsonFlavour) -> bool {
    parse(text, dialect).is_ok_and(|root| {
        root.object_value().is_some_and(|object| object.get(dialect.servers).is_some())
    })
}

fn parse(text: &str, dialect: JsonFlavour) -> Result<CstRootNode, Fault> {
    let options = dialect.options();
    // The tree takes comments whether or not they are allowed.
    parse_to_ast(text, &CollectOptions::default(), &options)
        .and_then(|_| CstRootNode::parse(text, &options))
        .map_err(|error| {
            let mut what = error.kind().to_string();
            what[..1].make_ascii_lowercase();
            Fault::at(text, error.range().start, what)
        })
}

/// The list of servers, if there is one. Anything else in its place is not ours to replace.
fn servers(
    root: &CstRootNode,
    text: &str,
    dialect: JsonFlavour,
) -> Result<Option<CstObject>, Fault> {
    let fault = |what: String| Err(Fault { line: 1, column: 1, what });
    let Some(value) = root.value() else { return Ok(None) };
    let Some(object) = value.as_object() else {
        return fault("the file holds something else than an object {...}".into());
    };
    let Some(list) = property(&object, dialect.servers, text)? else { return Ok(None) };
    match list.object_value() {
        Some(list) => Ok(Some(list)),
        None => {
            let at = text.find(&format!("{:?}", dialect.servers)).unwrap_or_default();
            Err(Fault::at(text, at, format!("{:?} is not an object {{...}}", dialect.servers)))
        }
    }
}

/// Of two properties with one name, hosts read the one and we might write the other.
fn property(object: &CstObject, name: &str, text: &str) -> Result<Option<CstObjectProp>, Fault> {
    let named = |one: &CstObjectProp| one.decoded_name().is_some_and(|found| found == name);
    let mut found = object.properties().into_iter().filter(named);
    match (found.next(), found.next()) {
        (Some(_), Some(_)) => {
            let at = text.rfind(&format!("{name:?}")).unwrap_or_default();
            Err(Fault::at(text, at, format!("{name:?} is there twice")))
        }
        (first, _) => Ok(first),
    }
}

fn fields(dialect: JsonFlavour, entry: &StartCommand) -> Vec<(String, CstInputValue)> {
    let mut fields: Vec<(String, CstInputValue)> = Vec::new();
    if dialect.says_type {
        fields.push(("type".into(), "stdio".into()));
    }
    fields.push(("command".into(), entry.command.as_str().into()));
    if let Some(args) = entry.args.clone().filter(|args| !args.is_empty()) {
        fields.push(("args".into(), args.into()));
    }
    fields
}

/// A server, for a file that is all in one line.
#[derive(Serialize)]
struct InLine<'a> {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    speaks: Option<&'static str>,
    command: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    args: &'a [String],
}

/// Where somebody has put everything into one line, ours goes into that line too.
fn put_in_line(text: &str, dialect: JsonFlavour, entry: &StartCommand) -> Option<String> {
    if text.trim_end().contains('\n') {
        return None;
    }
    let parsed = parse_to_ast(text, &CollectOptions::default(), &dialect.options()).ok()?;
    let root = parsed.value.as_ref()?.as_object().filter(|root| !root.properties.is_empty())?;
    let args = entry.args.as_deref().unwrap_or_default();
    let speaks = dialect.says_type.then_some("stdio");
    let server = serde_json::to_string(&InLine { speaks, command: &entry.command, args }).ok()?;
    let ours = format!("\"{NAME}\":{server}");
    let (object, ours) = match root.get_object(dialect.servers) {
        Some(servers) => (servers, ours),
        None => (root, format!("\"{}\":{{{ours}}}", dialect.servers)),
    };
    let before = text[..object.range.end - 1].trim_end();
    let comma = if before.ends_with(['{', ',']) { "" } else { "," };
    Some(format!("{before}{comma}{ours}{}", &text[before.len()..]))
}

fn set(object: &CstObject, name: &str, value: CstInputValue) {
    match object.get(name) {
        Some(property) => property.set_value(value),
        None => {
            object.append(name, value);
        }
    }
}

fn string(property: CstObjectProp) -> Option<String> {
    property.value().and_then(decoded)
}

fn decoded(value: CstNode) -> Option<String> {
    value.as_string_lit()?.decoded_value().ok()
}
