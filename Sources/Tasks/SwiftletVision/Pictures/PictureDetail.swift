package import SwiftletImage

/// What a task looks at, as far as it says how many pixels of a picture it can make use of.
package enum PictureDetail: Sendable, Hashable {
  /// Parts that it finds on the way, and which may be small.
  case parts
  /// A region in a model's input of so many pixels.
  case input(width: Int, height: Int, region: NormalizedRect = .fullImage)

  /// The same for a region; `nil` for all of the picture.
  func within(_ region: NormalizedRect?) -> PictureDetail {
    guard let region, case .input(let width, let height, _) = self else { return self }
    return .input(width: width, height: height, region: region)
  }
}

/// The size in which a bitmap is drawn for a task.
///
/// Bitmaps of up to ``mostPixels`` are drawn as they are. A larger one would take hundreds of megabytes. It is drawn
/// with that many pixels, or with fewer where the task's model takes so few that its samples lie
/// ``pixelsForEachSample`` pixels apart all the same.
package struct DrawingSize: Sendable, Hashable {
  /// 64 MB of four bytes each.
  package static let mostPixels = 1 << 24
  /// Models' inputs are interpolated between two neighbours. Samples that are further apart than that miss pixels, in
  /// the smaller bitmap as in the whole one.
  package static let pixelsForEachSample = 4.0

  package let width: Int
  package let height: Int

  /// - Parameters:
  ///   - bitmapWidth: of the whole bitmap in pixels.
  ///   - bitmapHeight: of the whole bitmap in pixels.
  package init(bitmapWidth: Int, bitmapHeight: Int, for detail: PictureDetail) {
    let (across, down) = (Double(bitmapWidth), Double(bitmapHeight))
    var reduction = (across * down / Double(Self.mostPixels)).squareRoot()
    guard reduction > 1 else {
      (width, height) = (bitmapWidth, bitmapHeight)
      return
    }
    if case .input(let inputWidth, let inputHeight, let region) = detail {
      // The shorter side for the longer one: pictures may be turned, and shown with bars.
      let part = min(across * Self.share(region.width), down * Self.share(region.height))
      reduction = max(reduction, part / (Self.pixelsForEachSample * Double(max(inputWidth, inputHeight, 1))))
    }
    // Rounded down, so that there are not more pixels.
    width = max(1, Int(across / reduction))
    height = max(1, Int(down / reduction))
  }

  /// How much of a side a region covers; nothing for a region that is an error.
  private static func share(_ side: Float) -> Double { side > 0 ? Double(min(side, 1)) : 0 }
}
