/**
 * @module Bold and dim of a serialized screen. SGR 22 ends both; @xterm/addon-serialize 0.14 writes it for the one that
 * ends, behind the one that begins: `1;22` after dim text is neither. Each such sequence says both anew.
 */

const SGR = /\x1b\[([\d;]*)m/g

/** A serialized screen whose bold and dim are what the screen showed. Pure. */
export function mendSerialized(text: string): string {
  let bold = false
  let dim = false
  return text.replace(SGR, (sequence, parameters: string) => {
    const codes = parameters === '' ? ['0'] : parameters.split(';')
    const ends: number[] = []
    const kept: string[] = []
    let [nextBold, nextDim] = [bold, dim]
    for (let at = 0; at < codes.length; at += 1) {
      const code = codes[at] ?? ''
      if (code === '38' || code === '48') {
        // A colour: what follows are its numbers.
        const numbers = codes[at + 1] === '2' ? 5 : 3
        kept.push(...codes.slice(at, at + numbers))
        at += numbers - 1
      } else if (code === '0') {
        kept.push(code)
        nextBold = nextDim = bold = dim = false
      } else if (code === '1') nextBold = true
      else if (code === '2') nextDim = true
      else if (code === '22') ends.push(at)
      else kept.push(code)
    }
    if (ends.length > 0) {
      // Which of the two ended: the one that does not begin here; of two that stood, bold is told before dim.
      const begins = { bold: nextBold && !bold, dim: nextDim && !dim }
      if (ends.length > 1 || !(bold && dim)) {
        if (!begins.bold) nextBold = false
        if (!begins.dim) nextDim = false
      } else nextBold = false
      kept.push('22')
    }
    const changed = ends.length > 0
    if (nextBold && (changed || !bold)) kept.push('1')
    if (nextDim && (changed || !dim)) kept.push('2')
    bold = nextBold
    dim = nextDim
    return kept.length === 0 ? sequence : `\x1b[${kept.join(';')}m`
  })
}
