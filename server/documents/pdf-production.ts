// React checks every element it makes unless it is told that it is in production; it reads this while it is loaded.
process.env['NODE_ENV'] ??= 'production'
