/** The product that the journeys run against: a demo of its own, on an address that a run may choose. */
const { E2E_PORT: port = '4300', DEMO_PASSWORD: password = 'password of the journeys' } = process.env
export const address = `http://127.0.0.1:${port}`
export const dataDir = '.tmp/e2e'
export const productEnv = { PORT: port, DATA_DIR: dataDir, DEMO_PASSWORD: password, LOG_LEVEL: 'info' }
