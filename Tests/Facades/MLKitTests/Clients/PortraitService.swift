// Client code as in an app that imports ML Kit's modules separately. It has no other import, and uses no name of this
// package.
import MLKitSegmentationCommon
import MLKitSegmentationSelfie
import MLKitVision

/// Separates people from the background, with every kind of call that apps make.
final class PortraitService {
  private let segmenter: Segmenter

  init() {
    let options = SelfieSegmenterOptions()
    options.segmenterMode = .singleImage
    options.shouldEnableRawSizeMask = true
    segmenter = Segmenter.segmenter(options: options)
  }

  func isSegmented(_ image: any MLKitCompatibleImage) throws -> Bool {
    let mask: SegmentationMask? = try segmenter.results(in: image)
    return mask != nil
  }

  func isSegmentedLater(_ image: VisionImage) async -> Bool { (try? await segmenter.process(image)) != nil }
}
