// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "image-service",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "swiftlet", path: "../../..")],
  targets: [
    .executableTarget(
      name: "ImageService",
      dependencies: [
        .product(name: "SwiftletVision", package: "swiftlet"),
        .product(name: "SwiftletImageCodecs", package: "swiftlet"),
        .product(name: "SwiftletModels", package: "swiftlet"),
      ])
  ])
