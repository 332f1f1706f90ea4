/**
 * @module web/ui/terminal/guard - what the screen of a program may not do in a browser.
 *
 * This terminal only shows. Whatever a program asks its terminal is answered elsewhere, once; an answer from here would
 * be typed into the program. Links, titles, the clipboard and colours of the page are not the program's to set.
 */
import type { IDisposable, IFunctionIdentifier, Terminal } from '@xterm/xterm'

/** Title, icon, colours, links, notifications, clipboard, file transfer, shell marks. */
const OSC = [0, 1, 2, 4, 5, 7, 8, 9, 10, 11, 12, 13, 17, 19, 50, 52, 99, 133, 633, 777, 1337]

/** Everything that would be answered, and window manipulation. */
const CSI: readonly IFunctionIdentifier[] = [
  { final: 'c' },
  { prefix: '>', final: 'c' },
  { prefix: '=', final: 'c' },
  { final: 'n' },
  { prefix: '?', final: 'n' },
  { intermediates: '$', final: 'p' },
  { prefix: '?', intermediates: '$', final: 'p' },
  { prefix: '>', final: 'q' },
  { final: 't' },
  { prefix: '?', final: 'u' },
]

const DCS: readonly IFunctionIdentifier[] = [
  { intermediates: '$', final: 'q' },
  { intermediates: '+', final: 'q' },
]

const swallow = () => true

/** Takes the rights away; call before the first byte is written. */
export function guard({ parser }: Terminal): IDisposable[] {
  return [
    ...OSC.map((id) => parser.registerOscHandler(id, swallow)),
    ...CSI.map((id) => parser.registerCsiHandler(id, swallow)),
    ...DCS.map((id) => parser.registerDcsHandler(id, swallow)),
  ]
}

/** Focus reports are the browser's focus, not the person's terminal's. */
export function isTyped(data: string): boolean {
  return data !== '\u001b[I' && data !== '\u001b[O'
}
