-- Whoever accepted a quote is told the fingerprint of what both sides saw; until now no letter named it.
update message_templates set body = replace(body, E'{{deposit}}\n\n', E'{{deposit}}\n\n{{evidence}}\n\n')
  where kind = 'quote_accepted' and body not like '%{{evidence}}%';
