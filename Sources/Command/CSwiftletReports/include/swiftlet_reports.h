#ifndef SWIFTLET_REPORTS_H
#define SWIFTLET_REPORTS_H

#include <stddef.h>

/// UTF-8 text that is embedded in the program. It ends with a newline.
typedef struct {
  const unsigned char *_Nonnull bytes;
  size_t size;
} swiftlet_page_text;

swiftlet_page_text swiftlet_shared_style(void);
swiftlet_page_text swiftlet_shared_script(void);
swiftlet_page_text swiftlet_document_body(void);
swiftlet_page_text swiftlet_model_style(void);
swiftlet_page_text swiftlet_model_body(void);
swiftlet_page_text swiftlet_model_script(void);
swiftlet_page_text swiftlet_measurement_style(void);
swiftlet_page_text swiftlet_measurement_script(void);
swiftlet_page_text swiftlet_comparison_style(void);
swiftlet_page_text swiftlet_comparison_script(void);
swiftlet_page_text swiftlet_difference_style(void);
swiftlet_page_text swiftlet_difference_script(void);
swiftlet_page_text swiftlet_studio_style(void);
swiftlet_page_text swiftlet_studio_body(void);
swiftlet_page_text swiftlet_studio_script(void);

#endif
