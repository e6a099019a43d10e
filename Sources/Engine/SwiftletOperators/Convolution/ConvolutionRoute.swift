import SwiftletEngine
import SwiftletKernels

/// The ways of computing CONV_2D. The first row whose condition holds is taken:
///
/// | input, filter | condition | route |
/// |---|---|---|
/// | float32, float32 | `WinogradConvolution` applies and pays: fast numerics, 3×3 windows of stride 1, one group, a constant filter, twelve channels or more | `winograd` |
/// | | `FewFiltersConvolution` applies and pays: fast numerics, one group, a third as many filters as the window has taps or fewer, and more than a few thousand products per filter | `fewFilters` |
/// | | reduced precision on a processor with bfloat16 products, and rounding whole rows pays | `bfloat16Rows` |
/// | | otherwise | `float` |
/// | float32, int8 or uint8 | | `dynamicRange` |
/// | uint8, uint8 | | `uint8` |
/// | int8, int8 or int4 | | `int8` |
/// | int16, int8 or int4 | sums of 32 bits, as the model or its bias asks for; otherwise of 64 | `int16` |
///
/// All but the first two are products of matrices: a row for every output pixel, a column for every filter. They differ in
/// where the elements of a row come from (three taps of C channels):
///
///     window of a pixel   row r = pixel r of the input, at a constant distance; no table
///                         | C |
///     indirect            row r = a table's positions of its taps; −1 stands for a row of zeros outside the image
///                         r → [tap 0 | tap 1 | … | tap 8], each C elements anywhere
///     interior windows    few channels: the taps of a window's row adjoin, so that three are one of 3·C elements;
///                         the ends of image rows stay indirect
///                         r → [row 0: C C C | row 1: C C C | row 2: C C C]
///     padded images       bytes: a copy in a frame of zero points, where every row of every window adjoins
///     bfloat16 rows       a tile's input rows, rounded into a buffer with their padding, read as interior windows
///
/// Winograd has 36 products instead, one for each frequency, whose rows are tiles of 4×4 output pixels:
///
///     6×6 inputs → 36 frequencies × C  ·  36 × C × filters  → 36 × filters → 4×4 outputs
///
/// Few filters leave most of a vector of columns empty, so that vectors of channels are added up instead.
enum ConvolutionRoute {
  case winograd(WinogradConvolution)
  case fewFilters(FewFiltersConvolution)
  case bfloat16Rows(BFloat16Gemm)
  case float(GemmLayout)
  case dynamicRange
  case uint8
  case int8
  case int16(hasNarrowSums: Bool)
}
