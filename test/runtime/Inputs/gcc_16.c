// Routines of gcc 15 and 16 that an older gcc does not know: by the names and
// versions that their programs ask for. On a machine without devices.

#include "check.h"

#define FROM(Version, Name) __asm__(".symver " #Name "," #Name "@" Version)

void *omp_target_memset(void *, int, size_t, int);
void *omp_target_memset_async(void *, int, size_t, int, int, omp_depend_t *);
FROM("GOMP_6.0.1", omp_target_memset);
FROM("GOMP_6.0.1", omp_target_memset_async);

const char *omp_get_uid_from_device(int);
int omp_get_device_from_uid(const char *);
void omp_get_uid_from_device_(const char **, size_t *, int);
void omp_get_uid_from_device_8_(const char **, size_t *, int64_t);
int omp_get_device_from_uid_(const char *, size_t);
FROM("GOMP_6.0", omp_get_uid_from_device);
FROM("GOMP_6.0", omp_get_device_from_uid);
FROM("GOMP_6.0", omp_get_uid_from_device_);
FROM("GOMP_6.0", omp_get_uid_from_device_8_);
FROM("GOMP_6.0", omp_get_device_from_uid_);

void GOMP_interop(int, int, void ***, const void *, const void *, int, void ***,
                  int, void ***, unsigned, void **);
int omp_get_num_interop_properties(void *);
intptr_t omp_get_interop_int(void *, int, int *);
void *omp_get_interop_ptr(void *, int, int *);
const char *omp_get_interop_str(void *, int, int *);
const char *omp_get_interop_name(void *, int);
void omp_get_interop_name_(const char **, size_t *, void *, int);
const char *omp_get_interop_type_desc(void *, int);
const char *omp_get_interop_rc_desc(void *, int);
FROM("GOMP_5.1.3", GOMP_interop);
FROM("GOMP_5.1.3", omp_get_num_interop_properties);
FROM("GOMP_5.1.3", omp_get_interop_int);
FROM("GOMP_5.1.3", omp_get_interop_ptr);
FROM("GOMP_5.1.3", omp_get_interop_str);
FROM("GOMP_5.1.3", omp_get_interop_name);
FROM("GOMP_5.1.3", omp_get_interop_name_);
FROM("GOMP_5.1.3", omp_get_interop_type_desc);
FROM("GOMP_5.1.3", omp_get_interop_rc_desc);

static void memory(void) {
  enum { Size = 100, Host = -1, NoDevice = 7 };
  char Bytes[Size + 1] = {0};
  CHECK(omp_target_memset(Bytes, 5, Size, Host) == Bytes, "its result");
  CHECK(Bytes[0] == 5 && Bytes[Size - 1] == 5 && Bytes[Size] == 0, "memset");
  omp_target_memset(Bytes, 6, 2, omp_get_initial_device());
  CHECK(Bytes[1] == 6 && Bytes[2] == 5, "memset of the initial device");
  CHECK(!omp_target_memset(Bytes, 7, Size, NoDevice), "no such device");
  CHECK(Bytes[0] == 6, "memset without a device");

  int Written = 0;
#pragma omp parallel
#pragma omp single
  {
    omp_depend_t After;
#pragma omp depobj(After) depend(in : Written)
#pragma omp task depend(out : Written) shared(Written, Bytes)
    {
      for (volatile int I = 0; I < 100000; ++I)
        ;
      Bytes[0] = 1;
      Written = 1;
    }
    omp_target_memset_async(Bytes, 9, Size, Host, 1, &After);
    CHECK(Written == 1 && Bytes[0] == 9, "memset behind a task");
#pragma omp depobj(After) destroy
  }
}

static void devices(void) {
  const char *Host = omp_get_uid_from_device(-1);
  CHECK(Host && *Host, "the host has a name");
  CHECK(!strcmp(Host, omp_get_uid_from_device(-5)), "the default device");
  CHECK(!omp_get_uid_from_device(9), "a device that is not there");
  CHECK(omp_get_device_from_uid(Host) == omp_get_initial_device(),
        "its number");
  CHECK(omp_get_device_from_uid("nobody") == -4, "omp_invalid_device");

  const char *Text = NULL;
  size_t Length = 0;
  omp_get_uid_from_device_(&Text, &Length, -1);
  CHECK(Length == strlen(Host) && !memcmp(Text, Host, Length), "in Fortran");
  CHECK(omp_get_device_from_uid_(Text, Length) == omp_get_initial_device(),
        "its number in Fortran");
  CHECK(omp_get_device_from_uid_(Text, Length - 1) == -4, "a part of the name");
  omp_get_uid_from_device_8_(&Text, &Length, 1ll << 32);
  CHECK(!Text && !Length, "a number that is no int");
}

static void interop(void) {
  int Data = 0;
  void *Object = &Data, *Other = &Data, *Used = NULL;
  void **Init[] = {&Object}, **Use[] = {&Used}, **Destroy[] = {&Other};
  GOMP_interop(-1, 1, Init, NULL, NULL, 1, Use, 1, Destroy, 0, NULL);
  CHECK(!Object && !Other, "omp_interop_none");
  CHECK(omp_get_num_interop_properties(Object) == 0, "no properties");
  for (int Property = -1; Property >= -9; --Property) {
    int Code = 5;
    CHECK(omp_get_interop_int(Object, Property, &Code) == 0 && Code == -1,
          "omp_irc_empty");
    CHECK(omp_get_interop_name(Object, Property), "the property's name");
  }
  int Code = 5;
  CHECK(!omp_get_interop_ptr(Object, -10, &Code) && Code == -2, "out of range");
  CHECK(!omp_get_interop_str(Object, 3, NULL), "without a code");
  CHECK(!omp_get_interop_name(Object, -10), "no such property");
  CHECK(!omp_get_interop_type_desc(Object, -1), "no type");
  CHECK(omp_get_interop_rc_desc(Object, -1) &&
            omp_get_interop_rc_desc(Object, 0) &&
            omp_get_interop_rc_desc(Object, -6) &&
            !omp_get_interop_rc_desc(Object, -7),
        "what a code means");
  const char *Text = NULL;
  size_t Length = 0;
  omp_get_interop_name_(&Text, &Length, Object, -5);
  CHECK(Length == 10 && !memcmp(Text, "device_num", Length), "in Fortran");
}

int main(void) {
  memory();
  devices();
  interop();
  return 0;
}
