#if canImport(UIKit)
  package import SwiftletImage
  package import UIKit

  extension ImageOrientation {
    /// - Throws: `TaskError` for orientations that a later system may add.
    package init(_ orientation: UIImage.Orientation) throws {
      switch orientation {
      case .up: self = .up
      case .upMirrored: self = .upMirrored
      case .down: self = .down
      case .downMirrored: self = .downMirrored
      case .left: self = .left
      case .leftMirrored: self = .leftMirrored
      case .right: self = .right
      case .rightMirrored: self = .rightMirrored
      @unknown default:
        throw TaskError(
          .invalidImage,
          "UIImage.Orientation \(orientation.rawValue) is not known here; give one of up, right, down, left.")
      }
    }
  }
#endif
