-- Amounts are found by the indexes that lists are sorted by.
drop index quotes_amount;
drop index orders_amount;
drop index invoices_amount;
drop index payments_amount;
