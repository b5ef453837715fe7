-- Takes the rights of a superuser from the role `recordwatch`, which had them in volumes that docker-compose.yml made before it
-- gave the server a superuser of its own. The role keeps its password, and owns the database and all in it. The superuser is
-- `postgres` then, with the password of POSTGRES_SUPERUSER_PASSWORD. docs/operations.md says how to run it.
\set ON_ERROR_STOP on
\getenv superuser_password POSTGRES_PASSWORD

-- An earlier run may have ended between its commit and its last line.
select rolsuper as is_superuser from pg_roles where rolname = current_user \gset
\if :is_superuser
\else
  \connect - postgres
  drop role if exists handover;
  \quit
\endif

-- A session cannot rename its own role.
drop role if exists handover;
create role handover superuser login;
\connect - handover

begin;
alter role recordwatch rename to postgres;
do $$
declare
  object record;
begin
  execute format('create role recordwatch login password %L', (
    select rolpassword from pg_authid where rolname = 'postgres'));
  -- `reassign owned` refuses the role that the server was made with. A sequence of a column goes with its table.
  for object in
    select case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end as kind,
      oid::regclass::text as name
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
      and not exists (
        select from pg_depend
        where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('a', 'i') and relkind = 'S')
    union all
    select 'routine', oid::regprocedure::text from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select 'type', oid::regtype::text from pg_type
    where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
    union all
    select 'statistics', format('public.%I', stxname) from pg_statistic_ext where stxnamespace = 'public'::regnamespace
  loop
    execute format('alter %s %s owner to recordwatch', object.kind, object.name);
  end loop;
end
$$;
alter database recordwatch owner to recordwatch;
alter role postgres password :'superuser_password';
commit;

\connect - postgres
drop role handover;
