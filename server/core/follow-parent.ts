// Loaded before a helper process: its standard input closes when the process that started it
// is gone, however that ended.
process.stdin
  .on('end', () => process.exit(0))
  .on('error', () => process.exit(0))
  .resume()
