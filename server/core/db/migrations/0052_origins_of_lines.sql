-- Which line of the first revision a line has come from, through every revision since; null where it began itself. Copies that
-- are quotes of their own begin anew.
alter table quote_lines add column origin_line_guid uuid;
