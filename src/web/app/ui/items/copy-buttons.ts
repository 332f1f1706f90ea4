/** @module web/ui/items/copy-buttons - a button on each code block that copies it. */

const SAID_MS = 1500

/** Adds the buttons to a fragment that is about to be shown. */
export function addCopyButtons(fragment: DocumentFragment): void {
  for (const block of fragment.querySelectorAll('pre')) {
    const frame = document.createElement('div')
    frame.className = 'code-frame'
    block.replaceWith(frame)
    frame.append(block, button(block.textContent ?? ''))
  }
}

function button(code: string): HTMLButtonElement {
  const copy = document.createElement('button')
  copy.type = 'button'
  copy.className = 'copy-button'
  copy.textContent = 'Copy'
  copy.addEventListener('click', () => {
    navigator.clipboard.writeText(code).then(
      () => say(copy, 'Copied'),
      () => say(copy, 'Not copied'),
    )
  })
  return copy
}

function say(copy: HTMLButtonElement, word: string): void {
  copy.textContent = word
  setTimeout(() => {
    copy.textContent = 'Copy'
  }, SAID_MS)
}
