import { z } from 'zod'
import { guid, timestamp, version } from './common.ts'

/** Of what is kept in versions, each of which stays as it was: what every version has. */
export const versionShape = {
  guid,
  number: z.int(),
  createdBy: z.string().nullable(),
  createdAt: timestamp,
}

/** Versions that an answer tells of, the newest first; the active one is among them. */
export const shownVersions = 50

/** One of the versions of a record, and the version of the record that was seen. */
export const ofVersion = z.strictObject({ version, versionGuid: guid })
