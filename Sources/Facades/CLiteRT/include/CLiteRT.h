#ifndef CLITERT_H
#define CLITERT_H

// The C types that LiteRT's Swift interface names, with the names and numbers of LiteRT's own headers. Only
// declarations: the functions of its C library are not here.

#include <stddef.h>
#include <stdint.h>

// What a call has come to.
typedef enum {
  kLiteRtStatusOk = 0,
  kLiteRtStatusErrorInvalidArgument = 1,
  kLiteRtStatusErrorMemoryAllocationFailure = 2,
  kLiteRtStatusErrorRuntimeFailure = 3,
  kLiteRtStatusErrorMissingInputTensor = 4,
  kLiteRtStatusErrorUnsupported = 5,
  kLiteRtStatusErrorNotFound = 6,
  kLiteRtStatusErrorTimeoutExpired = 7,
  kLiteRtStatusErrorWrongVersion = 8,
  kLiteRtStatusErrorUnknown = 9,
  kLiteRtStatusErrorAlreadyExists = 10,
  kLiteRtStatusCancelled = 100,
  kLiteRtStatusErrorFileIO = 500,
  kLiteRtStatusErrorInvalidFlatbuffer = 501,
  kLiteRtStatusErrorDynamicLoading = 502,
  kLiteRtStatusErrorSerialization = 503,
  kLiteRtStatusErrorCompilation = 504,
  kLiteRtStatusErrorIndexOOB = 1000,
  kLiteRtStatusErrorInvalidIrType = 1001,
  kLiteRtStatusErrorInvalidGraphInvariant = 1002,
  kLiteRtStatusErrorGraphModification = 1003,
  kLiteRtStatusErrorInvalidToolConfig = 1500,
  kLiteRtStatusLegalizeNoMatch = 2000,
  kLiteRtStatusErrorInvalidLegalization = 2001,
  kLiteRtStatusPatternNoMatch = 3000,
  kLiteRtStatusInvalidTransformation = 3001,
  kLiteRtStatusErrorUnsupportedRuntimeVersion = 4000,
  kLiteRtStatusErrorUnsupportedCompilerVersion = 4001,
  kLiteRtStatusErrorIncompatibleByteCodeVersion = 4002,
  kLiteRtStatusErrorUnsupportedOpShapeInferer = 5000,
  kLiteRtStatusErrorShapeInferenceFailed = 5001,
} LiteRtStatus;

// The types of a tensor's elements.
typedef enum {
  kLiteRtElementTypeNone = 0,
  kLiteRtElementTypeFloat32 = 1,
  kLiteRtElementTypeInt32 = 2,
  kLiteRtElementTypeUInt8 = 3,
  kLiteRtElementTypeInt64 = 4,
  kLiteRtElementTypeTfString = 5,
  kLiteRtElementTypeBool = 6,
  kLiteRtElementTypeInt16 = 7,
  kLiteRtElementTypeComplex64 = 8,
  kLiteRtElementTypeInt8 = 9,
  kLiteRtElementTypeFloat16 = 10,
  kLiteRtElementTypeFloat64 = 11,
  kLiteRtElementTypeComplex128 = 12,
  kLiteRtElementTypeUInt64 = 13,
  kLiteRtElementTypeTfResource = 14,
  kLiteRtElementTypeTfVariant = 15,
  kLiteRtElementTypeUInt32 = 16,
  kLiteRtElementTypeUInt16 = 17,
  kLiteRtElementTypeInt4 = 18,
  kLiteRtElementTypeBFloat16 = 19,
  kLiteRtElementTypeInt2 = 20,
  kLiteRtElementTypeUInt4 = 21,
  kLiteRtElementTypeFloat8E4M3FN = 22,
  kLiteRtElementTypeFloat8E5M2 = 23,
} LiteRtElementType;

// What kind of memory a buffer is in.
typedef enum {
  kLiteRtTensorBufferTypeUnknown = 0,
  kLiteRtTensorBufferTypeHostMemory = 1,
  kLiteRtTensorBufferTypeAhwb = 2,
  kLiteRtTensorBufferTypeIon = 3,
  kLiteRtTensorBufferTypeDmaBuf = 4,
  kLiteRtTensorBufferTypeFastRpc = 5,
  kLiteRtTensorBufferTypeGlBuffer = 6,
  kLiteRtTensorBufferTypeGlTexture = 7,
  kLiteRtTensorBufferTypeOpenClBuffer = 10,
  kLiteRtTensorBufferTypeOpenClBufferFp16 = 11,
  kLiteRtTensorBufferTypeOpenClTexture = 12,
  kLiteRtTensorBufferTypeOpenClTextureFp16 = 13,
  kLiteRtTensorBufferTypeOpenClBufferPacked = 14,
  kLiteRtTensorBufferTypeOpenClImageBuffer = 15,
  kLiteRtTensorBufferTypeOpenClImageBufferFp16 = 16,
  kLiteRtTensorBufferTypeWebGpuBuffer = 20,
  kLiteRtTensorBufferTypeWebGpuBufferFp16 = 21,
  kLiteRtTensorBufferTypeWebGpuTexture = 22,
  kLiteRtTensorBufferTypeWebGpuTextureFp16 = 23,
  kLiteRtTensorBufferTypeWebGpuImageBuffer = 24,
  kLiteRtTensorBufferTypeWebGpuImageBufferFp16 = 25,
  kLiteRtTensorBufferTypeWebGpuBufferPacked = 26,
  kLiteRtTensorBufferTypeMetalBuffer = 30,
  kLiteRtTensorBufferTypeMetalBufferFp16 = 31,
  kLiteRtTensorBufferTypeMetalTexture = 32,
  kLiteRtTensorBufferTypeMetalTextureFp16 = 33,
  kLiteRtTensorBufferTypeMetalBufferPacked = 34,
  kLiteRtTensorBufferTypeVulkanBuffer = 40,
  kLiteRtTensorBufferTypeVulkanBufferFp16 = 41,
  kLiteRtTensorBufferTypeVulkanTexture = 42,
  kLiteRtTensorBufferTypeVulkanTextureFp16 = 43,
  kLiteRtTensorBufferTypeVulkanImageBuffer = 44,
  kLiteRtTensorBufferTypeVulkanImageBufferFp16 = 45,
  kLiteRtTensorBufferTypeVulkanBufferPacked = 46,
} LiteRtTensorBufferType;

// What a buffer's memory is asked for.
typedef enum {
  kLiteRtTensorBufferLockModeRead = 0,
  kLiteRtTensorBufferLockModeWrite = 1,
  kLiteRtTensorBufferLockModeReadWrite = 2,
} LiteRtTensorBufferLockMode;

#define LITERT_TENSOR_MAX_RANK 8

// The sizes of a tensor's dimensions.
typedef struct {
  unsigned int rank : 7;
  unsigned int has_strides : 1;
  int32_t dimensions[LITERT_TENSOR_MAX_RANK];
  uint32_t strides[LITERT_TENSOR_MAX_RANK];
} LiteRtLayout;

typedef struct LiteRtTensorBufferT *LiteRtTensorBuffer;

// An operator of a program's own. It can be declared, not run: see `Options.addCustomOpKernel`.
typedef struct {
  LiteRtStatus (*Init)(void *user_data, const void *init_data, size_t init_data_size);
  LiteRtStatus (*GetOutputLayouts)(void *user_data, size_t num_inputs, const LiteRtLayout *input_layouts,
                                   size_t num_outputs, LiteRtLayout *output_layouts);
  LiteRtStatus (*Run)(void *user_data, size_t num_inputs, const LiteRtTensorBuffer *inputs, size_t num_outputs,
                      LiteRtTensorBuffer *outputs);
  LiteRtStatus (*Destroy)(void *user_data);
} LiteRtCustomOpKernel;

#endif
