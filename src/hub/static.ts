/** @module hub/static - the files of the web page: those that were there when the hub started, and no other path. */
import * as fs from 'node:fs'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

const NOT_BUILT = `<!doctype html><meta charset="utf-8"><title>agent-meow</title>
<p>The hub runs, but its page is not built. <code>npm run build</code> makes it.</p>
`

/**
 * Answers `GET` of the page's files. The list of paths is made once by looking, so that no path of a request ever
 * reaches the file system: there is nothing to traverse.
 */
export function pageFiles(root: string | null): (path: string) => Response | null {
  const files = new Map<string, string>()
  if (root !== null && fs.existsSync(root)) collect(root, '', files)
  const index = files.get('/index.html')
  if (index !== undefined) files.set('/', index)
  return (path) => {
    const file = files.get(path)
    if (file === undefined) return path === '/' ? html(NOT_BUILT) : null
    let bytes: Uint8Array<ArrayBuffer>
    try {
      bytes = Uint8Array.from(fs.readFileSync(file))
    } catch {
      return null
    }
    // The build puts a hash of the content into the names of these.
    const cache = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    const type = TYPES[extname(file)] ?? 'application/octet-stream'
    return new Response(bytes, { headers: { 'content-type': type, 'cache-control': cache } })
  }
}

function html(text: string): Response {
  return new Response(text, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
  })
}

function collect(root: string, below: string, files: Map<string, string>): void {
  for (const entry of fs.readdirSync(join(root, below), { withFileTypes: true })) {
    const path = `${below}/${entry.name}`
    if (entry.isDirectory()) collect(root, path, files)
    else if (entry.isFile()) files.set(path, join(root, path))
  }
}
