//! Files as people have them, and the same files with agon in them. `AGON` stands for the program's
//! path.

/// A host, its file as it was, and as it is with agon.
pub struct Case {
    pub host: &'static str,
    pub what: &'static str,
    pub before: &'static str,
    pub after: &'static str,
}

pub const CASES: &[Case] = &[
    Case {
        host: "claude-code",
        what: "a file full of other things",
        before: r#"{
  "numStartups": 41,
  "tipsHistory": { "new-user-warmup": 3 },
  "projects": {
    "/home/ann/shop": {
      "allowedTools": [],
      "mcpServers": { "agon": { "command": "a project's own, not ours" } }
    }
  },
  "mcpServers": {
    "github": {
      "type": "stdio",
      "command": "docker",
      "args": ["run", "-i", "--rm", "ghcr.io/github/github-mcp-server"],
      "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "ghp_secret" }
    }
  },
  "oauthAccount": { "emailAddress": "ann@example.org" },
  "bigNumber": 12345678901234567890.000
}
"#,
        after: r#"{
  "numStartups": 41,
  "tipsHistory": { "new-user-warmup": 3 },
  "projects": {
    "/home/ann/shop": {
      "allowedTools": [],
      "mcpServers": { "agon": { "command": "a project's own, not ours" } }
    }
  },
  "mcpServers": {
    "github": {
      "type": "stdio",
      "command": "docker",
      "args": ["run", "-i", "--rm", "ghcr.io/github/github-mcp-server"],
      "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "ghp_secret" }
    },
    "agon": {
      "type": "stdio",
      "command": "AGON"
    }
  },
  "oauthAccount": { "emailAddress": "ann@example.org" },
  "bigNumber": 12345678901234567890.000
}
"#,
    },
    Case {
        host: "claude-code",
        what: "no list of servers, no line end",
        before: "{\n  \"numStartups\": 1,\n  \"userID\": \"7aae\"\n}",
        after: "{\n  \"numStartups\": 1,\n  \"userID\": \"7aae\",\n  \"mcpServers\": {\n    \"agon\": {\n      \
                \"type\": \"stdio\",\n      \"command\": \"AGON\"\n    }\n  }\n}",
    },
    Case {
        host: "claude-desktop",
        what: "tabs and the line ends of Windows",
        before: "{\r\n\t\"globalShortcut\": \"\",\r\n\t\"mcpServers\": {\r\n\t\t\"files\": {\r\n\t\t\t\
                 \"command\": \"C:\\\\Tools\\\\files.exe\"\r\n\t\t}\r\n\t}\r\n}\r\n",
        after: "{\r\n\t\"globalShortcut\": \"\",\r\n\t\"mcpServers\": {\r\n\t\t\"files\": {\r\n\t\t\t\
                \"command\": \"C:\\\\Tools\\\\files.exe\"\r\n\t\t},\r\n\t\t\"agon\": {\r\n\t\t\t\
                \"command\": \"AGON\"\r\n\t\t}\r\n\t}\r\n}\r\n",
    },
    Case {
        host: "claude-desktop",
        what: "nothing but braces",
        before: "{}",
        after: "{\n  \"mcpServers\": {\n    \"agon\": {\n      \"command\": \"AGON\"\n    }\n  }\n}",
    },
    Case {
        host: "claude-desktop",
        what: "nothing at all",
        before: "",
        after: "{\n  \"mcpServers\": {\n    \"agon\": {\n      \"command\": \"AGON\"\n    }\n  }\n}\n",
    },
    Case {
        host: "vscode",
        what: "comments everywhere and commas at every end",
        before: r#"// Servers for every project.
{
	"inputs": [
		{ "id": "token", "type": "promptString", "password": true }, // asked for
	],
	"servers": {
		/* the usual ones */
		"playwright": {
			"command": "npx",
			"args": ["-y", "@playwright/mcp@latest"], // not pinned
		},
		// "old": { "command": "gone" },
	},
}
"#,
        after: r#"// Servers for every project.
{
	"inputs": [
		{ "id": "token", "type": "promptString", "password": true }, // asked for
	],
	"servers": {
		/* the usual ones */
		"playwright": {
			"command": "npx",
			"args": ["-y", "@playwright/mcp@latest"], // not pinned
		},
		"agon": {
			"type": "stdio",
			"command": "AGON",
		},
		// "old": { "command": "gone" },
	},
}
"#,
    },
    Case {
        host: "cursor",
        what: "an empty list, four spaces",
        before: "{\n    \"mcpServers\": {}\n}\n",
        after: "{\n    \"mcpServers\": {\n        \"agon\": {\n            \"command\": \"AGON\"\n        \
                }\n    }\n}\n",
    },
    Case {
        host: "cursor",
        what: "everything in one line",
        before: r#"{"mcpServers":{"x":{"command":"x","env":{"KEY":"s3cret"}}},"more":[1,2]}"#,
        after: r#"{"mcpServers":{"x":{"command":"x","env":{"KEY":"s3cret"}},"agon":{"command":"AGON"}},"more":[1,2]}"#,
    },
    Case {
        host: "claude-code",
        what: "one line without a list of servers",
        before: "{ \"numStartups\": 3 }\n",
        after: "{ \"numStartups\": 3,\"mcpServers\":{\"agon\":{\"type\":\"stdio\",\"command\":\"AGON\"}} }\n",
    },
    Case {
        host: "windsurf",
        what: "servers by address",
        before: "{\n  \"mcpServers\": {\n    \"docs\": { \"serverUrl\": \"https://docs.example/mcp\" }\n  }\n}\n",
        after: "{\n  \"mcpServers\": {\n    \"docs\": { \"serverUrl\": \"https://docs.example/mcp\" },\n    \
                \"agon\": {\n      \"command\": \"AGON\"\n    }\n  }\n}\n",
    },
    Case {
        host: "gemini",
        what: "a comment behind the last server",
        before: "{\n  \"ui\": { \"theme\": \"GitHub\" },\n  \"mcpServers\": {\n    \"git\": {\n      \
                 \"command\": \"uvx\"\n    } // mine\n  }\n}\n",
        after: "{\n  \"ui\": { \"theme\": \"GitHub\" },\n  \"mcpServers\": {\n    \"git\": {\n      \
                \"command\": \"uvx\"\n    }, // mine\n    \"agon\": {\n      \"command\": \"AGON\"\n    \
                }\n  }\n}\n",
    },
    Case {
        host: "codex",
        what: "comments between tables",
        before: r#"model = "o3"   # the good one
approval_policy = 'on-request'

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs-mcp"]
# what follows is about the terminal

[tui]
notifications = true # beep
"#,
        after: r#"model = "o3"   # the good one
approval_policy = 'on-request'

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs-mcp"]
# what follows is about the terminal

[tui]
notifications = true # beep

[mcp_servers.agon]
command = "AGON"
"#,
    },
    Case {
        host: "codex",
        what: "the line ends of Windows, and none at the end",
        before: "model = \"o3\"\r\n\r\n[tui]\r\nnotifications = true",
        after: "model = \"o3\"\r\n\r\n[tui]\r\nnotifications = true\r\n\r\n[mcp_servers.agon]\r\n\
                command = \"AGON\"\r\n",
    },
    Case {
        host: "codex",
        what: "all servers in one line",
        before: "mcp_servers = { docs = { command = \"npx\" } } # short\nmodel = \"o3\"\n",
        after: "mcp_servers = { docs = { command = \"npx\" } , agon = { command = \"AGON\" } } # short\n\
                model = \"o3\"\n",
    },
];

/// A host, a file that is not valid, and what is said about it.
pub const INVALID: &[(&str, &str, &str)] = &[
    ("claude-code", "{\n  \"mcpServers\": {\n}\n", "line 1, column 1: unterminated object"),
    (
        "claude-desktop",
        "{\n  \"mcpServers\": {},\n}\n",
        "line 2, column 19: trailing commas are not allowed",
    ),
    ("claude-desktop", "{\n  // mine\n}\n", "line 2, column 3: comments are not allowed"),
    ("vscode", "{\n  \"servers\": [],\n}\n", "line 2, column 3: \"servers\" is not an object"),
    ("cursor", "[]\n", "line 1, column 1: the file holds something else than an object"),
    (
        "cursor",
        "{ \"mcpServers\": {}, \"mcpServers\": {} }",
        "line 1, column 21: \"mcpServers\" is there twice",
    ),
    (
        "windsurf",
        "{\n  'mcpServers': {}\n}\n",
        "line 2, column 3: single-quoted strings are not allowed",
    ),
    ("gemini", "{ \"ui\": { } \"mcpServers\": {} }", "line 1, column 12: expected comma"),
    ("codex", "model = \"o3\"\n[tui\nnotifications = true\n", "line 2, column 5: unclosed table"),
    ("codex", "mcp_servers = 3\n", "line 1, column 1: mcp_servers is not a table"),
];
