#include "MediaPipeImages.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

// The arithmetic of stb_image, with which MediaPipe decodes JPEG files: 12 fractional bits in the inverse cosine
// transform, chroma interpolated 3 : 1 with a single rounding, and colors with 20 fractional bits.

typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf end;
} failure;

static void fail(j_common_ptr info) { longjmp(((failure *)info->err)->end, 1); }
static void ignore(j_common_ptr info, int level) { (void)info, (void)level; }

static unsigned char limited(int value) { return value < 0 ? 0 : value > 255 ? 255 : (unsigned char)value; }

// For negative numbers, the fraction is truncated after the half is added.
static int scaled(double factor) { return (int)((float)factor * 4096.0f + 0.5f); }

/// Computes one dimension of the transform: eight numbers `stride` apart, in place.
static void transform(int *line, int stride, int rounding, int shift) {
  int even[4], odd[4];
  int a = line[2 * stride], b = line[6 * stride];
  int shared = (a + b) * scaled(0.5411961);
  int low = shared + b * scaled(-1.847759065), high = shared + a * scaled(0.765366865);
  int sum = (line[0] + line[4 * stride]) * 4096, difference = (line[0] - line[4 * stride]) * 4096;
  even[0] = sum + high + rounding;
  even[1] = difference + low + rounding;
  even[2] = difference - low + rounding;
  even[3] = sum - high + rounding;
  int s1 = line[stride], s3 = line[3 * stride], s5 = line[5 * stride], s7 = line[7 * stride];
  int all = (s7 + s3 + s5 + s1) * scaled(1.175875602);
  int outer = all + (s7 + s1) * scaled(-0.899976223), inner = all + (s5 + s3) * scaled(-2.562915447);
  int threes = (s7 + s3) * scaled(-1.961570560), fives = (s5 + s1) * scaled(-0.390180644);
  odd[0] = s1 * scaled(1.501321110) + outer + fives;
  odd[1] = s3 * scaled(3.072711026) + inner + threes;
  odd[2] = s5 * scaled(2.053119869) + inner + fives;
  odd[3] = s7 * scaled(0.298631336) + outer + threes;
  for (int i = 0; i < 4; i++) {
    line[i * stride] = (even[i] + odd[i]) >> shift;
    line[(7 - i) * stride] = (even[i] - odd[i]) >> shift;
  }
}

/// Computes the pixels of one block of coefficients.
static void decode_block(const JCOEF *coefficients, const JQUANT_TBL *table, unsigned char *pixels, size_t stride) {
  int block[64];
  for (int i = 0; i < 64; i++) block[i] = (short)(coefficients[i] * table->quantval[i]);
  for (int column = 0; column < 8; column++) transform(block + column, 8, 512, 10);
  for (int row = 0; row < 8; row++) {
    transform(block + 8 * row, 1, 65536 + (128 << 17), 17);
    for (int column = 0; column < 8; column++) pixels[row * stride + column] = limited(block[8 * row + column]);
  }
}

typedef struct {
  unsigned char *pixels;
  size_t stride;
  int width, height;
  int across, down;
} plane;

/// Computes a row of a plane in the image's size; `target` has room for two pixels more than the image's width.
static void enlarge(const plane *from, int row, int width, unsigned char *target) {
  if (from->down == 1 && from->across == 1) {
    memcpy(target, from->pixels + row * from->stride, (size_t)width);
    return;
  }
  int near = row / from->down, far = near;
  if (from->down == 2) far = row % 2 ? near + 1 : near - 1;
  if (far < 0) far = 0;
  if (far >= from->height) far = from->height - 1;
  const unsigned char *a = from->pixels + near * from->stride, *b = from->pixels + far * from->stride;
  int count = from->width;
  if (from->across == 1) {
    for (int i = 0; i < count; i++) target[i] = (unsigned char)((3 * a[i] + b[i] + 2) >> 2);
  } else if (from->down == 1) {
    target[0] = a[0];
    target[2 * count - 1] = a[count - 1];
    for (int i = 1; i < count; i++) {
      target[2 * i - 1] = (unsigned char)((3 * a[i - 1] + a[i] + 2) >> 2);
      target[2 * i] = (unsigned char)((3 * a[i] + a[i - 1] + 2) >> 2);
    }
  } else {
    int last = 3 * a[0] + b[0];
    target[0] = (unsigned char)((last + 2) >> 2);
    for (int i = 1; i < count; i++) {
      int next = 3 * a[i] + b[i];
      target[2 * i - 1] = (unsigned char)((3 * last + next + 8) >> 4);
      target[2 * i] = (unsigned char)((3 * next + last + 8) >> 4);
      last = next;
    }
    target[2 * count - 1] = (unsigned char)((last + 2) >> 2);
  }
}

/// Returns a color factor with 20 fractional bits, of which the lowest 8 are 0.
static int color_factor(double value) { return (int)((float)value * 4096.0f + 0.5f) * 256; }

static void paint(const unsigned char *lines, size_t stride, int width, unsigned char *rgb) {
  for (int i = 0; i < width; i++) {
    int y = (lines[i] << 20) + (1 << 19);
    int blue = lines[stride + i] - 128, red = lines[2 * stride + i] - 128;
    int green = -red * color_factor(0.71414) + (int)((unsigned)(-blue * color_factor(0.34414)) & 0xffff0000u);
    rgb[3 * i] = limited((y + red * color_factor(1.40200)) >> 20);
    rgb[3 * i + 1] = limited((y + green) >> 20);
    rgb[3 * i + 2] = limited((y + blue * color_factor(1.77200)) >> 20);
  }
}

static int assemble(struct jpeg_decompress_struct *info, jvirt_barray_ptr *arrays, unsigned char *rgb) {
  plane planes[3] = {{0}};
  int width = (int)info->image_width, height = (int)info->image_height, isMade = 1;
  for (int c = 0; c < 3; c++) {
    jpeg_component_info *component = &info->comp_info[c];
    plane *p = &planes[c];
    p->across = info->max_h_samp_factor / component->h_samp_factor;
    p->down = info->max_v_samp_factor / component->v_samp_factor;
    p->width = (width + p->across - 1) / p->across;
    p->height = (height + p->down - 1) / p->down;
    p->stride = 8 * (size_t)component->width_in_blocks;
    p->pixels = malloc(p->stride * 8 * component->height_in_blocks);
    if (p->pixels == NULL || p->across > 2 || p->down > 2 || component->quant_table == NULL) { isMade = 0; continue; }
    for (JDIMENSION row = 0; row < component->height_in_blocks; row++) {
      JBLOCKARRAY blocks = info->mem->access_virt_barray((j_common_ptr)info, arrays[c], row, 1, FALSE);
      for (JDIMENSION column = 0; column < component->width_in_blocks; column++) {
        decode_block(
          blocks[0][column], component->quant_table, p->pixels + 8 * row * p->stride + 8 * column, p->stride);
      }
    }
  }
  size_t stride = (size_t)width + 2;
  unsigned char *lines = malloc(3 * stride);
  isMade = isMade && lines != NULL;
  for (int row = 0; isMade && row < height; row++) {
    for (int c = 0; c < 3; c++) enlarge(&planes[c], row, width, lines + c * stride);
    paint(lines, stride, width, rgb + 3 * (size_t)row * width);
  }
  free(lines);
  for (int c = 0; c < 3; c++) free(planes[c].pixels);
  return isMade;
}

int swiftlet_test_mediapipe_jpeg(const unsigned char *bytes, size_t count, unsigned char *rgb, int width, int height) {
  struct jpeg_decompress_struct info;
  failure errors;
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = fail;
  errors.base.emit_message = ignore;
  volatile int isMade = 0;
  if (setjmp(errors.end) == 0) {
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, bytes, count);
    jpeg_read_header(&info, TRUE);
    if (
      info.num_components == 3 && info.jpeg_color_space == JCS_YCbCr && (int)info.image_width == width
      && (int)info.image_height == height) {
      jvirt_barray_ptr *arrays = jpeg_read_coefficients(&info);
      isMade = assemble(&info, arrays, rgb);
    }
  }
  jpeg_destroy_decompress(&info);
  return isMade;
}
