/** A serialized screen, fed to another one, looks the same. */
import { describe, expect, test } from 'vitest'
import { Screen } from '../../src/terminal/index.js'

const make = () => new Screen({ cols: 40, rows: 3, minFrameMs: 0 })

const looks = (screen: Screen) =>
  Array.from({ length: 12 }, (_, x) => {
    const { bold, dim, italic, underline, fg } = screen.style(x, 0)
    return [bold && 'bold', dim && 'dim', italic && 'italic', underline && 'underline', fg]
      .filter(Boolean)
      .join(' ')
  })

function again(bytes: string): [string[], string[]] {
  const [one, other] = [make(), make()]
  one.write(Buffer.from(bytes))
  other.write(Buffer.from(one.serialize()))
  const both: [string[], string[]] = [looks(one), looks(other)]
  one.dispose()
  other.dispose()
  return both
}

describe('bold and dim', () => {
  test.each([
    ['dim, then bold', '\x1b[2mA\x1b[0;1mBB\x1b[0mC'],
    ['bold, then dim', '\x1b[1mA\x1b[0;2mBB\x1b[0mC'],
    ['in a colour whose numbers are 1, 2 and 22', '\x1b[38;2;1;2;22;2mA\x1b[22;1mB\x1b[22mC\x1b[2mD\x1b[0mE'],
    ['with italic and underline between', '\x1b[2;3mA\x1b[22;1;4mB\x1b[22;2;24mC\x1b[23mD\x1b[22mE'],
    ['both, and then none', '\x1b[1;2mAB\x1b[0;3mC\x1b[0mD'],
    ['both, and then dim', '\x1b[1;2mAB\x1b[22;2mC\x1b[0mD'],
  ])('%s', (_, bytes) => {
    const [one, other] = again(bytes)
    expect(other).toEqual(one)
  })
})
