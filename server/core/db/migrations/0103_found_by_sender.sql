-- Received mail is looked for by who wrote it; what we sent was always sent by us.
alter table messages alter column search_text set expression as (
  lower(subject || ' ' || array_to_text(recipients) || case when direction = 'in' then ' ' || sender else '' end)
);
