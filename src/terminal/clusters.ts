/**
 * @module Widths of characters as programs count them: Unicode 11, and clusters as one (an emoji with joiners, skin
 * tones, flags, a variation selector). Programs move the cursor by these widths whatever the terminal draws; an engine
 * that counts each part by itself would let the next write destroy the second half.
 */
import unicodeAddon from '@xterm/addon-unicode11'
import type { IUnicodeVersionProvider, Terminal } from '@xterm/headless'

const ZWJ = 0x200d
const EMOJI_STYLE = 0xfe0f

/** What a cluster may go on with. */
const PLAIN = 0
const PICTURE = 1
const JOINER = 2
const FLAG = 3

/** Longest cluster, in code points: a cell keeps all of them, and a program may never stop. */
const LONGEST = 32

const isTone = (code: number) => code >= 0x1f3fb && code <= 0x1f3ff
const isFlag = (code: number) => code >= 0x1f1e6 && code <= 0x1f1ff
/** What is known of the code points up to the last pictograph's plane: asked for each character that is no ASCII. */
const PICTURES = new Uint8Array(0x20000)
const [UNKNOWN, NO, YES] = [0, 1, 2] as const
const PICTOGRAPH = /\p{Extended_Pictographic}/u

/** xterm's own packing of what it keeps of a character: 3 bits of width and join, the rest is ours. */
const pack = (state: number, width: number, count: number): number =>
  (count << 5) | (state << 3) | ((width & 3) << 1) | (count > 0 ? 1 : 0)
const ASCII = pack(PLAIN, 1, 0)

class ClusterWidths implements IUnicodeVersionProvider {
  readonly version = '11-clusters'
  constructor(private readonly widths: IUnicodeVersionProvider) {}

  wcwidth(code: number): 0 | 1 | 2 {
    return this.widths.wcwidth(code)
  }

  /** @param preceding what was returned for the character before; 0 at the start */
  charProperties(code: number, preceding: number): number {
    if (code >= 0x20 && code < 0x7f) return ASCII
    const state = (preceding >> 3) & 3
    const width = (preceding >> 1) & 3
    const count = (preceding >> 5) + 1
    const own = this.widths.wcwidth(code)
    if (preceding !== 0 && count < LONGEST) {
      if (code === ZWJ) return pack(state === PICTURE ? JOINER : PLAIN, width, count)
      if (code === EMOJI_STYLE) return pack(state, state === PICTURE ? 2 : width, count)
      if (state === PICTURE && isTone(code)) return pack(PICTURE, 2, count)
      if (state === JOINER && this.isPicture(code)) return pack(PICTURE, 2, count)
      if (state === FLAG && isFlag(code)) return pack(PLAIN, 2, count)
      if (own === 0) return pack(state, width, count)
    }
    // What would make a cluster too long takes a cell of its own.
    const alone = own === 0 && preceding !== 0 ? 1 : own
    return pack(isFlag(code) ? FLAG : this.isPicture(code) ? PICTURE : PLAIN, alone, 0)
  }

  private isPicture(code: number): boolean {
    if (code < 0x203c) return false
    const known = code < PICTURES.length ? (PICTURES[code] as number) : UNKNOWN
    if (known !== UNKNOWN) return known === YES
    const picture = PICTOGRAPH.test(String.fromCodePoint(code))
    if (code < PICTURES.length) PICTURES[code] = picture ? YES : NO
    return picture
  }
}

/** Makes a terminal count so. */
export function countClusters(terminal: Terminal): void {
  const given: IUnicodeVersionProvider[] = []
  const register = (provider: IUnicodeVersionProvider) => given.push(provider)
  // The addon only registers its table; ours asks it.
  new unicodeAddon.Unicode11Addon().activate({ unicode: { register } } as never)
  const [table] = given
  if (!table) return
  terminal.unicode.register(new ClusterWidths(table))
  terminal.unicode.activeVersion = '11-clusters'
}
