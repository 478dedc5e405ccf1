-- What customers owe is a right of its own, which field workers do not have: the role that came with the product is told so.
insert into permissions (role_guid, subject, action, inverted, priority, note)
select r.guid, 'Customers:Amounts', 'read', true, 10, 'what customers owe is for the office' from roles r
where r.name = 'Field' and r.kind = 'staff' and not exists (select from permissions p where p.role_guid = r.guid and p.subject = 'Customers:Amounts');
