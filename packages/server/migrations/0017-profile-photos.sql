-- The photo that the user uploaded. It takes precedence over profile_photo_url, the photo at an identity provider.
alter table users add column photo_object_key text references stored_objects;
create index users_photo on users (photo_object_key) where photo_object_key is not null;
