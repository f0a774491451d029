// What a text costs a model, counted as the newer ones count (o200k).

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

export const tokensOf = (text) => countTokens(text);

/** Of what hosts hand on: the rest of a tool's description is for programs. */
export const tokensOfTools = (tools) =>
  tokensOf(
    JSON.stringify(
      tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    ),
  );
