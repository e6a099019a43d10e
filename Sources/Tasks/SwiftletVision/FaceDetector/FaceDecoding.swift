import SwiftletFlatBuffers
import SwiftletSchema

/// Finds out how a BlazeFace model's numbers are to be read: from its metadata, or from the size of its input.
///
/// - Source: "BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs" (Bazarevsky et al. 2019); the constants
///   of the published short- and full-range models.
enum FaceDecoding {
  static func decoder(for model: VisionModel) throws(VisionTaskError) -> BoxDecoder {
    if let bytes = model.customMetadata(FaceDetectorMetadata.name) {
      do {
        let metadata = try FaceDetectorMetadata(bytes)
        if let layout = metadata.anchorLayout, let decoding = metadata.tensorDecoding {
          return try decoder(layout, decoding, model)
        }
      } catch let error as SchemaError {
        throw .invalidModel("\(error)")
      } catch let error as VisionTaskError {
        throw error
      } catch {
        throw .invalidModel("\(error)")
      }
    }
    return try published(model)
  }

  private static func decoder(
    _ layout: FaceDetectorMetadata.AnchorLayout, _ decoding: FaceDetectorMetadata.TensorDecoding, _ model: VisionModel
  ) throws(VisionTaskError) -> BoxDecoder {
    let anchors = try SSDAnchorLayout(
      inputWidth: model.inputWidth, inputHeight: model.inputHeight, strides: layout.strides,
      minimumScale: layout.minimumScale, maximumScale: layout.maximumScale, aspectRatios: layout.aspectRatios,
      offsetX: layout.anchorOffsetX, offsetY: layout.anchorOffsetY,
      interpolatedAspectRatio: layout.interpolatedScaleAspectRatio, hasFixedSize: layout.hasFixedAnchorSize
    ).anchors()
    guard anchors.count == decoding.boxCount else {
      throw .invalidModel(
        "the model's metadata announces \(decoding.boxCount) boxes, but its anchor layout has \(anchors.count)")
    }
    let decoder = BoxDecoder(
      anchors: anchors, classCount: decoding.classCount, coordinateCount: decoding.coordinateCount,
      boxOffset: decoding.boxOffset, keypointOffset: decoding.keypointOffset, keypointCount: decoding.keypointCount,
      valuesPerKeypoint: decoding.valuesPerKeypoint,
      format: decoding.hasReversedOutputOrder ? .centerXYWidthHeight : .centerYXHeightWidth, xScale: decoding.xScale,
      yScale: decoding.yScale, widthScale: decoding.widthScale, heightScale: decoding.heightScale,
      appliesSigmoid: decoding.appliesSigmoidToScore, scoreClip: decoding.scoreClippingThreshold)
    try decoder.validate()
    return decoder
  }

  private static func published(_ model: VisionModel) throws(VisionTaskError) -> BoxDecoder {
    let isShortRange = model.inputWidth == 128
    let anchors = try SSDAnchorLayout(
      inputWidth: model.inputWidth, inputHeight: model.inputHeight, strides: isShortRange ? [8, 16, 16, 16] : [4],
      minimumScale: 0.1484375, maximumScale: 0.75, aspectRatios: [1],
      interpolatedAspectRatio: isShortRange ? 1 : 0, hasFixedSize: true
    ).anchors()
    let scale = Float(isShortRange ? 128 : 192)
    return BoxDecoder(
      anchors: anchors, classCount: 1, coordinateCount: 16, keypointCount: 6, format: .centerXYWidthHeight,
      xScale: scale,
      yScale: scale, widthScale: scale, heightScale: scale, appliesSigmoid: true, scoreClip: 100)
  }
}
