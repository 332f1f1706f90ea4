/** @module web/ui/NewSessionDialog - starts a vendor's program in a folder. */
import { type FormEvent, useEffect, useMemo, useState } from 'react'
import type { VendorInfo } from '../../../protocol/api.js'
import { newestFirst } from '../model/sessions.js'
import { type ApiFault, asFault, hub } from '../net/http.js'
import { Dialog } from './Dialog.js'
import { FaultNote } from './FaultNote.js'
import { useApp, useAppState } from './hooks.js'
import { VendorNote } from './VendorNote.js'

export function NewSessionDialog({ onClose }: { onClose: () => void }) {
  const app = useApp()
  const sessions = useAppState((state) => state.sessions)
  const folders = useMemo(
    () => [...new Set(newestFirst(sessions).map((info) => info.cwd))].slice(0, 20),
    [sessions],
  )
  const [vendors, setVendors] = useState<readonly VendorInfo[] | null>(null)
  const [vendorId, setVendorId] = useState('')
  const [cwd, setCwd] = useState(folders[0] ?? '')
  const [model, setModel] = useState('')
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<ApiFault | null>(null)

  useEffect(() => {
    hub.vendors().then(
      (found) => {
        setVendors(found)
        setVendorId(
          (chosen) => chosen || ((found.find(ready) ?? found.find(installed) ?? found[0])?.id ?? ''),
        )
      },
      (thrown: unknown) => setFault(asFault(thrown)),
    )
  }, [])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFault(null)
    try {
      await app.createSession({
        vendor: vendorId,
        cwd: cwd.trim(),
        ...(model.trim() === '' ? {} : { model: model.trim() }),
        ...(name.trim() === '' ? {} : { name: name.trim() }),
      })
      onClose()
    } catch (thrown) {
      setFault(asFault(thrown))
      setBusy(false)
    }
  }

  const vendor = vendors?.find(({ id }) => id === vendorId)
  return (
    <Dialog title="New session" onClose={onClose} testId="new-session-dialog">
      <form className="form" onSubmit={(event) => void submit(event)}>
        <label>
          <span>Agent</span>
          <select value={vendorId} onChange={(event) => setVendorId(event.target.value)} name="vendor">
            {vendors === null && <option value="">Loading…</option>}
            {vendors?.map((one) => (
              <option key={one.id} value={one.id} disabled={!installed(one)}>
                {one.name}
                {installed(one) ? (one.version === null ? '' : ` ${one.version}`) : ' (not installed)'}
              </option>
            ))}
          </select>
        </label>
        {vendor !== undefined && <VendorNote vendor={vendor} />}
        <label>
          <span>Folder</span>
          <input
            name="cwd"
            required
            list="known-folders"
            placeholder="/path/to/the/project"
            value={cwd}
            onChange={(event) => setCwd(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <datalist id="known-folders">
          {folders.map((folder) => (
            <option key={folder} value={folder} />
          ))}
        </datalist>
        <div className="form-pair">
          <label>
            <span>Model</span>
            <input
              name="model"
              placeholder="the agent's own"
              value={model}
              onChange={(event) => setModel(event.target.value)}
              autoComplete="off"
              spellCheck={false}
            />
          </label>
          <label>
            <span>Name</span>
            <input
              name="name"
              placeholder="optional"
              maxLength={120}
              value={name}
              onChange={(event) => setName(event.target.value)}
              autoComplete="off"
            />
          </label>
        </div>
        {fault !== null && <FaultNote fault={fault} />}
        <div className="dialog-buttons">
          <button type="button" className="button" onClick={onClose}>
            {busy ? 'Close' : 'Cancel'}
          </button>
          <button type="submit" className="button primary" disabled={busy || vendorId === ''}>
            {busy ? 'Starting…' : 'Start'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function installed(vendor: VendorInfo): boolean {
  return vendor.binary !== null
}

function ready(vendor: VendorInfo): boolean {
  return installed(vendor) && vendor.auth.status === 'ok'
}
