/**
 * @module web/ui/items/markdown-blocks - markdown to HTML, block by block: a growing text changes only its last block.
 *
 * The HTML from here is not trusted: {@link safeFragment} is the only way into the page.
 */
import DOMPurify from 'dompurify'
import MarkdownIt from 'markdown-it'

const md = new MarkdownIt({ html: false, linkify: true, breaks: false, typographer: false })
// Only what names its scheme becomes a link by itself.
md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })

const ALLOWED_URL = /^(?:https?:\/\/|mailto:)/i
md.validateLink = (url) => ALLOWED_URL.test(url)

// An image would be fetched from wherever the text says: its address becomes a link instead.
md.renderer.rules.image = (tokens, at) => {
  const token = tokens[at]
  const source = token?.attrGet('src') ?? ''
  const label = md.utils.escapeHtml(`[image${token?.content ? `: ${token.content}` : ''}]`)
  return ALLOWED_URL.test(source) ? `<a href="${md.utils.escapeHtml(source)}">${label}</a>` : label
}

const TAGS =
  'a blockquote br code del em h1 h2 h3 h4 h5 h6 hr li ol p pre s strong table tbody td th thead tr ul'.split(
    ' ',
  )

/** The HTML of each block at the top level, in order. */
export function markdownBlocks(text: string): string[] {
  const env = {}
  const tokens = md.parse(text, env)
  const blocks: string[] = []
  let start = 0
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined || token.level !== 0 || token.nesting === 1) continue
    blocks.push(md.renderer.render(tokens.slice(start, at + 1), md.options, env))
    start = at + 1
  }
  return blocks
}

/** The HTML with nothing in it but formatted text and links that leave the page alone. */
export function safeFragment(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'title', 'start'],
    ALLOWED_URI_REGEXP: ALLOWED_URL,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  })
  for (const link of fragment.querySelectorAll('a')) {
    link.target = '_blank'
    link.rel = 'noopener noreferrer nofollow'
    // The text of a link may say anything; the tooltip says where it goes.
    link.title = link.href
  }
  for (const table of fragment.querySelectorAll('table')) {
    const frame = document.createElement('div')
    frame.className = 'table-frame'
    table.replaceWith(frame)
    frame.append(table)
  }
  return fragment
}
