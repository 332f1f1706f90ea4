/** @module web/ui/items/Markdown - formatted text; a block that did not change is not touched. */
import { memo, useLayoutEffect, useMemo, useRef } from 'react'
import { visible } from '../../model/visible.js'
import { addCopyButtons } from './copy-buttons.js'
import { markdownBlocks, safeFragment } from './markdown-blocks.js'

export function Markdown({ text, growing }: { text: string; growing: boolean }) {
  const blocks = useMemo(() => markdownBlocks(visible(text)), [text])
  return (
    <div className="markdown" data-growing={growing}>
      {blocks.map((html, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block is its place in the text
        <Block key={at} html={html} />
      ))}
    </div>
  )
}

const Block = memo(function Block({ html }: { html: string }) {
  const host = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const fragment = safeFragment(html)
    addCopyButtons(fragment)
    host.current?.replaceChildren(fragment)
  }, [html])
  return <div ref={host} className="markdown-block" />
})
