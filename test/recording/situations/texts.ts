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

export const LISTS = `## What lies in the harbour

1. The first boat
   1. its \`mast\`
   2. its \`sail\`, which is so long that the line in which it is told has to be broken at the end of a row of the window
      - torn
      - mended
2. The second boat

   A paragraph that belongs to the second.

- [ ] a task that is open
- [x] a task that is done

### Quotes

> A quote
> of two lines
>
> - with a list in it

---

* star
+ plus

#### The end

**Bold from the first letter on**, then plain.

\`code\` from the first letter on.

_Slanted from the first letter on_, too.

This is the end of the lists.
`

export const FENCES = `A fence with marks:

\`\`\`markdown
# A heading in a fence
- a bullet
1. a number

> a quote
\`\`\`

- In a list:
  \`\`\`sh
  $ echo "in a list"
  \`\`\`

\`\`\`diff
@@ -1,2 +1,2 @@
-old line
+new line
\`\`\`

\`\`\`
╭──────────────╮
│ a box        │
╰──────────────╯
\`\`\`

A line without end: https://example.com/a/very/long/path/that/never/ends/and/goes/on/and/on/until/the/row/is/full/and/on/and/on/end

    indented code
      deeper

`

export const THOUGHTS = `# A heading first

I weigh **two** answers:

- the _first_ one
- the \`second\` one

## And code

\`\`\`python
def weigh(answers):

    return max(answers)
\`\`\`

> A quote of the thought.

| Answer | Weight |
|--------|--------|
| first  | 1      |

So it is the table.
`

export const WIDE_LINES = `日本語の文章は単語の間に空白がないので、どこでも折り返すことができますが、句読点は行頭に来ません。そのため、行の長さは一定ではありません。

- 箇条書きの項目も長くなることがあります。その場合、二行目は字下げされます。
- 混ざった text と English words が続く場合、折り返しの位置が変わります。🎉👍🏽👨‍👩‍👧

| 船 | 長さ |
|----|------|
| アンナ号 | 七メートル |
| Bert | 12 m |

한국어 문장은 단어 사이에 공백이 있으므로 다른 방식으로 줄이 바뀝니다. 이 문장은 꽤 깁니다.

The plain end of it.
`
