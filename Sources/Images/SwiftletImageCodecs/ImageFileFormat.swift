import SwiftletBase

/// The image file formats that can be read and written.
public enum ImageFileFormat: String, Sendable, Hashable, CaseIterable {
  /// Portable Network Graphics: lossless, with alpha.
  case png
  /// JPEG: smaller, not lossless, without alpha.
  case jpeg

  /// Creates a format from the first bytes of a file. The file name is ignored.
  ///
  /// - Throws: ``ImageCodecError`` that names the actual format of the bytes, if it can be detected.
  public init(detecting bytes: [UInt8]) throws(ImageCodecError) {
    self = try bytes.withUnsafeBufferPointer { bytes throws(ImageCodecError) in
      try ImageFileFormat(detecting: UnsafeRawBufferPointer(bytes))
    }
  }

  init(detecting bytes: UnsafeRawBufferPointer) throws(ImageCodecError) {
    func starts(_ signature: String, at offset: Int = 0) -> Bool {
      bytes.count >= offset + signature.utf8.count
        && zip(bytes[offset...], signature.utf8).allSatisfy { $0 == $1 }
    }
    func starts(_ signature: [UInt8]) -> Bool {
      bytes.count >= signature.count && zip(bytes, signature).allSatisfy { $0 == $1 }
    }
    if starts(Self.pngSignature) {
      self = .png
      return
    }
    if starts([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
      return
    }
    let expected = "; expected PNG or JPEG"
    guard !bytes.isEmpty else {
      throw ImageCodecError(code: .truncated, message: "the file is empty\(expected)")
    }
    let beginsLikePNG = zip(bytes, Self.pngSignature).allSatisfy { $0 == $1 }
    let beginsLikeJPEG = zip(bytes, [0xFF, 0xD8]).allSatisfy { $0 == $1 }
    if bytes.count < 8, beginsLikePNG || beginsLikeJPEG {
      throw ImageCodecError(
        code: .truncated, message: "the file has only \(bytes.count) bytes, too few to be an image\(expected)")
    }
    let brand = starts("ftyp", at: 4) ? String(decoding: bytes.dropFirst(8).prefix(4), as: UTF8.self) : ""
    let name: String? =
      if starts("GIF8") {
        "a GIF image"
      } else if starts("RIFF"), starts("WEBP", at: 8) {
        "a WebP image"
      } else if ["heic", "heix", "heim", "heis", "hevc", "mif1", "msf1"].contains(brand) {
        "a HEIC image"
      } else if brand.hasPrefix("avi") {
        "an AVIF image"
      } else if starts("ftyp", at: 4) {
        "a video"
      } else if starts("BM") {
        "a BMP image"
      } else if starts([0x49, 0x49, 0x2A, 0]) || starts([0x4D, 0x4D, 0, 0x2A]) {
        "a TIFF or raw camera image"
      } else if starts([0, 0, 1, 0]) {
        "an icon (ICO)"
      } else if starts([0xFF, 0x0A]) || starts("JXL ", at: 4) {
        "a JPEG XL image"
      } else if starts("jP  ", at: 4) || starts([0xFF, 0x4F, 0xFF, 0x51]) {
        "a JPEG 2000 image"
      } else if starts("8BPS") {
        "a Photoshop document"
      } else if starts("%PDF") {
        "a PDF document"
      } else if starts("TFL3", at: 4) {
        "a TensorFlow Lite model"
      } else if starts([0x50, 0x4B, 3, 4]) {
        "a ZIP archive"
      } else if starts([0x1F, 0x8B]) {
        "a gzip archive"
      } else if starts("version https://git-lfs") {
        "a Git LFS pointer; fetch the real file with `git lfs pull`"
      } else if Self.looksLikeText(bytes) {
        "text (it begins with \"\(Self.beginning(of: bytes))\")"
      } else {
        nil
      }
    if let name {
      throw ImageCodecError(
        code: .unsupportedFormat, message: "the file is \(name)\(expected). Convert it first if it is an image")
    }
    let start = bytes.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    throw ImageCodecError(
      code: .unsupportedFormat, message: "the file is of an unknown format (it begins with bytes \(start))\(expected)")
  }

  static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private static func looksLikeText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Decoding replaces invalid UTF-8, so a round trip changes the bytes.
    bytes.prefix(64).allSatisfy { $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0D].contains($0) }
      && String(decoding: bytes.prefix(60), as: UTF8.self).utf8.elementsEqual(bytes.prefix(60))
  }

  private static func beginning(of bytes: UnsafeRawBufferPointer) -> String {
    let text = String(decoding: bytes.prefix(24), as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
  }
}

/// A reader for whole files that doesn't use Foundation.
enum FileBytes {
  static func read(path: String, maximumByteCount: Int) throws(ImageCodecError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path, "cannot be opened", errno) }
    defer { _ = close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(path, "cannot be inspected", errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let kind = status.st_mode & S_IFMT == S_IFDIR ? "is a directory" : "is not a regular file"
      throw ImageCodecError(
        code: .unreadableFile, message: "the path \(kind); use the path of a PNG or JPEG file", path: path)
    }
    let size = Int(status.st_size)
    guard size <= maximumByteCount else {
      throw ImageCodecError(
        code: .limitExceeded,
        message: """
          the file has \(size) bytes, but at most \(maximumByteCount) are read; \
          raise ImageDecoderLimits.maximumFileByteCount if the file is trusted
          """,
        path: path)
    }
    return try ImageCodecError.wrapping {
      try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        while count < size {
          let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
          guard let target = rest.baseAddress else { break }
          let got = SwiftletBase.read(descriptor, target, rest.count)
          if got < 0, errno == EINTR { continue }
          guard got >= 0 else { throw unreadable(path, "cannot be read", errno) }
          // The file is shorter than its reported size because another process is writing to it. The decoder will
          // report that it is truncated.
          if got == 0 { break }
          count += got
        }
      }
    }
  }

  private static func unreadable(_ path: String, _ what: String, _ number: Int32) -> ImageCodecError {
    let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
    return ImageCodecError(code: .unreadableFile, message: "the file \(what): \(reason)", path: path)
  }
}
