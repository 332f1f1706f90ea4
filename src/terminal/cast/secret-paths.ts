/** @module terminal/cast/secret-paths - the home folder and the user's name in paths: what of them a recording replaces. */
import { beginning, escaped, type Rule } from './secret-rules.js'

/** Names that are no person's. */
const COMMON_USERS = new Set(['root', 'user', 'node', 'admin', 'runner', 'home', 'tmp', 'src', 'lib', 'bin'])
/** A path never names a user after these, whoever reads it. */
const HOME_PATH = '/home/user'
const LETTERS = '\\u00c0-\\u024f\\u0370-\\u1fff\\u3040-\\ud7ff'
/** A character of a folder's name. */
const NAME_PART = `[\\w.@+${LETTERS}-]`
const ENCODED_PART = `(?:${NAME_PART}|%(?!2[Ff]|5[Cc])[0-9A-Fa-f]{2})`
/** No part of a longer path stands before it: `src/home/page.ts` names nobody. */
const AT_HEAD = `(?<![\\w.~@+${LETTERS}-])`
/** The same where slashes are written `%2F`: an escape before it ends in a letter or a digit, and is none. */
const AT_ENCODED_HEAD = '(?<=^|[^\\w.~@+-]|%[0-9A-Fa-f]{2})'
/** Where systems keep their folders of homes, and other systems' disks. */
const ABOVE = [
  'var',
  'usr',
  'export',
  'private',
  'nfs',
  'data',
  'host',
  '(?:mnt|cygdrive)/[A-Za-z]',
  '[A-Za-z]',
]
/** A path ends there: another folder may begin like it. */
const AT_END = `(?![\\w@+${LETTERS}-]|\\.\\w)`

/** Users' folders, whoever they are: `/home/NAME`, `/Users/NAME`, `C:\Users\NAME`, and URL-encoded. */
export const USER_FOLDERS: readonly Rule[] = [
  ...['home', 'Users'].flatMap((root) => [
    {
      name: 'home folder',
      instead: 'user',
      needle: `/${root}/`,
      full: new RegExp(`(?<=${AT_HEAD}(?:/(?:${ABOVE.join('|')}))?/${root}/)${NAME_PART}+`, 'g'),
      open: new RegExp(`${beginning(`/${root}/`, NAME_PART)}$`),
    },
    {
      name: 'home folder',
      instead: 'user',
      needle: `${root}%2`,
      full: new RegExp(
        `(?<=${AT_ENCODED_HEAD}${encodedSlashes(`(?:/(?:${ABOVE.join('|')}))?/${root}/`)})${ENCODED_PART}+`,
        'g',
      ),
      open: new RegExp(`${beginning(`%2F${root}%2F`, `[\\w.@+%${LETTERS}-]`)}$`, 'i'),
    },
  ]),
  {
    name: 'home folder',
    instead: 'user',
    needle: ':\\',
    // As it stands, and in texts that escape a backslash by another one.
    full: new RegExp(`(?<=[A-Za-z]:\\\\{1,4}Users\\\\{1,4})${NAME_PART}+`, 'gi'),
    open: new RegExp(`\\\\{1,4}${optional('users', `\\\\{1,4}${NAME_PART}*`)}$`, 'i'),
  },
]

/** The session's own home, wherever it is, and its user's name as a part of a path. */
export function ownPaths(home: string | undefined, user: string | undefined): Rule[] {
  const path = home?.replace(/\/+$/, '') ?? ''
  const parts = path.split('/').filter((part) => part !== '')
  const names = [user, parts.at(-1)].filter((name) => name !== undefined)
  // What every machine has says nothing, and `/home` alone would be replaced by itself.
  return [
    ...(parts.length === 0 || path === '/home' ? [] : homeRules(path, parts.length)),
    ...nameRules(names),
  ]
}

function homeRules(path: string, depth: number): Rule[] {
  const rules = [whole(path, HOME_PATH, [AT_HEAD, AT_END])]
  // `-root` and `%2Froot` would be found in options and in words.
  if (depth < 2) return rules
  const dashed = path.replaceAll(/[^A-Za-z0-9]/g, '-')
  return [
    ...rules,
    // As vendors name folders of their state after paths.
    whole(dashed, '-home-user', ['(?<![\\w-])', '(?!\\w)']),
    whole(encodeURIComponent(path), encodeURIComponent(HOME_PATH), [AT_ENCODED_HEAD, AT_END]),
  ]
}

/** Text that is replaced as a whole. */
function whole(text: string, instead: string, [before, after]: readonly [string, string]): Rule {
  return {
    name: 'home folder',
    instead,
    full: new RegExp(`${before}${escaped(text).replaceAll(/%2F/g, '%2[Ff]')}${after}`, 'g'),
    // A dot at the end may be a sentence's or a longer name's.
    open: new RegExp(`${before}(?:${beginning(text, '')}|${escaped(text)}\\.)$`, 'i'),
  }
}

function nameRules(names: readonly string[]): Rule[] {
  const told = [...new Set(names)].filter((name) => name.length >= 3 && !COMMON_USERS.has(name))
  return told.map((name) => ({
    name: 'user name',
    instead: 'user',
    full: new RegExp(`(?<=/|%2[Ff])${escaped(name)}(?![\\w-])`, 'g'),
    open: new RegExp(`(?:${beginning(`/${name}`, '')}|${beginning(`%2F${name}`, '')})$`, 'i'),
  }))
}

function encodedSlashes(pattern: string): string {
  return pattern.replaceAll('/', '%2[Ff]')
}

/** Any beginning of a word, also none of it, and behind the whole word `rest`. */
function optional(word: string, rest: string): string {
  return [...word].reduceRight((inner, char) => `(?:${char}${inner})?`, `(?:${rest})?`)
}
