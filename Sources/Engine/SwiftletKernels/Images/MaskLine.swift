/// The pixels of a row of an image that lie in the mask of a region, or less than one cell outside it.
///
/// Kernels receive a pointer to it. The mask is padded with zeros: cells are in rows of `maskWidth + 2`, each with the
/// element below it, from the row above the mask to the last one.
package struct MaskLine {
  /// The position in the mask of the first pixel, and the step to the next pixel, in units of 1/32 cell.
  package var x: Float
  package var y: Float
  package var stepX: Float
  package var stepY: Float
  package var maskWidth: Int32
  package var maskHeight: Int32

  package init(start: SIMD2<Double>, step: SIMD2<Double>, maskWidth: Int, maskHeight: Int) {
    (x, y, stepX, stepY) = (Float(start.x), Float(start.y), Float(step.x), Float(step.y))
    (self.maskWidth, self.maskHeight) = (Int32(maskWidth), Int32(maskHeight))
  }
}
