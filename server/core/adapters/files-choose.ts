import type { Settings } from '../env.ts'
import { type FileStore, makeFolder } from './files.ts'
import { makeS3 } from './files-s3.ts'

/** The store that the settings name: a bucket, or the folder beside the other data. */
export const makeFiles = ({ dataDir, files }: Pick<Settings, 'dataDir' | 'files'>): FileStore =>
  files ? makeS3(files) : makeFolder(dataDir)
