/** @module test/recording/situations/texts - what the model says. */

export const MARKDOWN = `# Report on the boats

Three **wooden boats** lie in the harbour, and _one_ of them leaks.

## What to do

1. Look for the leak
   - below the water line
   - around the mast
2. Close it with \`tar\`

> An old rule says that dry wood drinks water.

\`\`\`python
def close(leak):
    return leak.size < 3
\`\`\`

| Boat | Length |
|------|--------|
| Anna | 7 m    |
| Bert | 12 m   |

See [the harbour book](https://example.com/harbour) for more.
`

/** A text of numbered lines that no two recordings' readers can confuse. */
export function numbered(count: number, what: string): string {
  return Array.from(
    { length: count },
    (_, i) => `${what} ${String(i + 1).padStart(2, '0')} stands on a line of its own.\n\n`,
  ).join('')
}

export const WIDE = `日本語の文章です。幅が二倍の文字が並びます。

한국어 문장도 있습니다. 中文也在这里。

Family 👨‍👩‍👧 and coder 👩‍💻, flag 🇯🇵, thumbs 👍🏽, party 🎉.

Combining: e\u0301te\u0301, n\u0303, and a plain end.
`

export const BLANK_LINES = `The first paragraph.


The second one, after two blank lines.



The third, after three.

\`\`\`text
top of the block


bottom of the block
\`\`\`

And the last.
`
